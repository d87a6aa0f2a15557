"""Opens pages in a real browser: every model and analysis shows itself and moves."""

import json

import pytest
from browser import exit_code, many_bodies
from conftest import ROOT

MODELS = sorted(p.name for p in (ROOT / "models").iterdir() if p.suffix in (".toml", ".urdf"))


def pick_some_body(page):
    """Clicks on bodies until one is in front; its card says its name and mass."""
    # a rail or a pin may lie over the centre
    beside = [(0, 0), (0, 3), (0, -3), (0, 7), (0, -7), (7, 0), (-7, 0), (0, 2), (0, -2), (20, 20), (40, 0), (0, 40)]
    for name, (dx, dy) in [(name, d) for name in page.api("bodies()") for d in beside]:
        x, y = page.api(f"project({name!r})")
        x, y = x + dx, y + dy
        owner = page.page.evaluate("([x, y]) => linkwork.pick(x, y)", [x, y])
        covered = page.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.tagName", [x, y])
        if owner and owner["type"] == "body" and covered == "CANVAS":
            page.page.mouse.click(x, y)
            card = page.page.locator(".card")
            assert card.locator(".name").text_content() == page.api("bodies()")[owner["index"]]
            assert "kg" in card.text_content()
            return
    pytest.fail("no body can be picked")


def search_a_channel(page):
    """Finds the last channel by its name and draws it."""
    page.page.get_by_role("tab", name="Plots").click()
    channel = page.api("channels()")[-1]
    page.page.get_by_role("button", name="+ plot").click()
    page.page.locator(".search").fill(channel)
    page.page.keyboard.press("Enter")
    plot = page.page.locator(".plot").first
    assert channel in plot.locator(".chip").first.text_content()
    assert plot.locator("canvas").count() == 1


@pytest.mark.parametrize("model", MODELS)
def test_every_model_moves(linkwork, look, model):
    exit_code(linkwork, "run", ROOT / "models" / model, "--report", "page.html", "--quiet")
    page = look()
    assert page.colours() > 20
    begin = page.picture()
    slider = page.page.locator("#time")
    slider.evaluate("s => { s.value = 0.37; s.dispatchEvent(new Event('input')); }")
    page.settle()
    start, end = page.api("range()")
    assert page.api("time()") == pytest.approx(start + 0.37 * (end - start))
    assert page.picture() != begin, "the slider moves the picture"
    pick_some_body(page)
    page.api("select('')")
    search_a_channel(page)
    page.page.get_by_role("tab", name="Solver").click()
    page.page.get_by_role("tab", name="Summary").click()
    page.page.get_by_role("tab", name="Model").click()


SHAPES = {
    "box": 'size = [0.6, 0.6, 0.6]',
    "sphere": 'radius = 0.4',
    "cylinder": 'radius = 0.4\nlength = 0.6',
    "capsule": 'radius = 0.3\nlength = 0.4',
    "extrusion": 'outline = [[-0.4, -0.4], [0.4, -0.4], [0, 0.4]]\nthickness = 0.5',
    "mesh": 'file = "ramp.stl"',
}
RAMP = """solid ramp
facet normal 0 0 1
 outer loop
  vertex -0.4 -0.4 0.2
  vertex 0.4 -0.4 0.2
  vertex 0 0.4 0.2
 endloop
endfacet
endsolid
"""


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_have_their_colour(linkwork, look, tmp_path, kind):
    (tmp_path / "ramp.stl").write_text(RAMP)
    (tmp_path / "shaped.toml").write_text(
        many_bodies(1) + f'[[shape]]\nname = "s"\nkind = "{kind}"\nbody = "b0"\ncolour = "#e00010"\n{SHAPES[kind]}\n'
    )
    linkwork("run", "shaped.toml", "--t-end", "0.1", "--report", "page.html", "--quiet")
    page = look(size=(700, 500))
    red = page.page.evaluate(
        """async () => {
            const image = new Image();
            image.src = linkwork.picture();
            await image.decode();
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [image.width, image.height];
            const pen = copy.getContext('2d');
            pen.drawImage(image, 0, 0);
            const data = pen.getImageData(0, 0, image.width, image.height).data;
            let red = 0;
            for (let i = 0; i < data.length; i += 4)
                if (data[i] > 90 && data[i] > 2.5 * data[i + 1] && data[i] > 2.5 * data[i + 2]) red++;
            return red / (data.length / 4);
        }"""
    )
    assert red > 0.01, f"{kind} covers {red}"


def test_modes_of_the_suspension_move(linkwork, look):
    linkwork("modes", "suspension", "--at", "equilibrium", "--report", "page.html", "--quiet")
    page = look()
    begin = page.picture()
    page.page.wait_for_timeout(300)
    assert page.picture() != begin
    rows = page.page.locator(".modes tbody tr")
    assert rows.count() == 2
    assert "0.9475" in rows.nth(0).text_content() and "vibration" in rows.nth(0).text_content()
    rows.nth(1).click()
    assert "marked" in rows.nth(1).get_attribute("class")


@pytest.mark.parametrize("system", ["two_mass", "lorry"])
def test_a_co_simulation_moves(linkwork, look, system):
    linkwork("cosim", system, "--report", "page.html", "--quiet")
    page = look()
    assert page.colours() > 20
    begin = page.picture()
    page.api("setTime(0.5 * (linkwork.range()[0] + linkwork.range()[1]))")
    page.settle()
    assert page.picture() != begin
    page.page.get_by_role("tab", name="Solver").click()
    assert page.page.locator(".lane").count() >= 2


def test_a_failed_run_says_why(linkwork, look, tmp_path):
    text = (ROOT / "models/pendulum.toml").read_text()
    (tmp_path / "failing.toml").write_text(text)
    words = ("run", "failing.toml", "--max-steps", "20", "--t-end", "50")
    linkwork(*words, "--report", "page.html", "--quiet", expect=1)
    page = look()
    assert page.page.locator(".badge").text_content() == "failed"
    assert page.page.locator(".failure").is_visible()
    assert page.colours() > 20


# two points on different bodies of the ground cannot coincide


OPEN_LOOP = """
[[body]]
name = "rod"
mass = 1
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "left"
kind = "revolute"
body_b = "rod"
point_a = [0, 0]
point_b = [-0.5, 0]
[[joint]]
name = "right"
kind = "revolute"
body_b = "rod"
point_a = [3, 0]
point_b = [0.5, 0]
"""


def test_a_model_that_does_not_assemble_is_drawn_as_far_as_it_got(linkwork, look, tmp_path):
    (tmp_path / "open.toml").write_text(OPEN_LOOP)
    linkwork("check", "open.toml", "--report", "page.html", expect=1)
    page = look()
    assert page.page.locator(".badge").text_content() == "does not start"
    assert page.page.locator(".failure").is_visible()
    assert page.colours() > 5


def test_equilibrium_and_check(linkwork, look):
    linkwork("equilibrium", "suspension", "--report", "rest.html", "--quiet")
    linkwork("check", "four_bar", "--report", "check.html")
    linkwork("kinematics", "slider_crank", "--report", "motion.html", "--quiet")
    for name, word in [("rest.html", "stable"), ("check.html", "sound"), ("motion.html", "converged")]:
        page = look(name)
        assert page.page.locator(".badge").text_content() == word
        assert page.colours() > 20


def test_results_on_disk(linkwork, look, tmp_path):
    linkwork("run", "four_bar", "--format", "npz", "--out", "kept", "--quiet")
    linkwork("view", "kept", "--out", "page.html", "--no-open")
    page = look()
    assert page.colours() > 20
    # a table without rows, summary or model
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/table.csv").write_text("t,a,b\n")
    linkwork("view", "empty", "--out", "empty.html", "--no-open")
    empty = look("empty.html")
    assert empty.page.locator(".verdict").is_visible()


def test_a_co_simulation_on_disk_is_the_same(linkwork, look, tmp_path):
    linkwork("cosim", "servo", "--out", "kept", "--report", "page.html", "--quiet")
    linkwork("view", "kept", "--out", "kept.html", "--no-open")
    assert len((tmp_path / "kept/controller/events.csv").read_text().splitlines()) > 190
    for name in ["page.html", "kept.html"]:
        page = look(name)
        assert page.page.locator(".badge").text_content() == "converged"
        assert page.api("bodies()") == ["plant.arm"] and "controller.regulator" in page.api("channels()")
        page.page.get_by_role("tab", name="Solver").click()
        assert page.page.locator(".lane").count() >= 2
        rows = page.page.locator("table.events tbody tr")
        assert rows.count() > 190 and "controller.clock" in rows.first.text_content()
        page.page.get_by_role("tab", name="Model").click()
        assert "[[subsystem]]" in page.page.locator("pre.text").first.text_content()
        begin = page.picture()
        page.api("setTime(1)")
        page.settle()
        assert page.picture() != begin


def test_a_verified_run_shows_how_far_it_agrees(linkwork, look, tmp_path):
    linkwork("run", "pendulum", "--verify", "--out", "kept", "--report", "page.html", "--quiet")
    linkwork("view", "kept", "--out", "kept.html", "--no-open")
    found = json.loads((tmp_path / "kept/summary.json").read_text())["verification"]
    for name in ["page.html", "kept.html"]:
        page = look(name)
        page.page.get_by_role("tab", name="Summary").click()
        panel = page.page.locator(".verification")
        assert found["companion"] in panel.text_content()
        rows = panel.locator("tbody tr")
        assert rows.count() == len(found["worst"]) >= 7
        assert found["worst"][0]["channel"] in rows.first.text_content()
        rows.first.click()
        drawn = page.page.locator(".plot .chip").all_text_contents()
        assert any(found["worst"][0]["channel"] in chip for chip in drawn), drawn


DOUBLE_PENDULUM = """
[model]
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 1
inertia = 0.08
position = [0, 0.5]
angle = 1.57
[[body]]
name = "lower"
mass = 1
inertia = 0.08
position = [0.5, 1]
[[joint]]
name = "top"
kind = "revolute"
body_b = "upper"
at = [0, 0]
[[joint]]
name = "middle"
kind = "revolute"
body_a = "upper"
body_b = "lower"
at = [0, 1]
[simulation]
t_end = 40
rtol = 1e-8
"""


def test_a_chaotic_run_says_where_two_ways_part(linkwork, look, tmp_path):
    (tmp_path / "double.toml").write_text(DOUBLE_PENDULUM)
    linkwork("run", "double.toml", "--verify", "--out", "kept", "--report", "page.html", "--quiet", expect=1)
    found = json.loads((tmp_path / "kept/summary.json").read_text())["verification"]
    page = look()
    page.page.get_by_role("tab", name="Summary").click()
    panel = page.page.locator(".verification")
    assert "chaotic" in panel.text_content()
    panel.locator(".parting").click()
    assert page.api("time()") == pytest.approx(found["parting"]["t"])
