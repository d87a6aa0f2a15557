"""What people do with a page in a browser: look, pick, plot, play."""

import pytest


def test_a_body_that_is_picked_says_its_name(linkwork, look):
    linkwork("run", "slider_crank", "--report", "page.html", "--quiet")
    page = look()
    page.api("setTime(0.18)")
    page.settle()
    for name in page.api("bodies()"):
        x, y = page.api(f"project('{name}')")
        page.page.mouse.click(x, y)
        card = page.page.locator(".card")
        shown = card.locator(".name").text_content()
        # the pin of a joint may be in front of the body
        owner = page.page.evaluate("([x, y]) => linkwork.pick(x, y)", [x, y])
        assert owner is not None
        if owner["type"] == "body":
            assert shown == name
            assert "kg" in card.text_content()
            assert f"{name}" in shown and "lines" in card.text_content()
    page.page.locator(".card").get_by_text("lines").click()
    assert page.page.locator(".line.marked").count() > 2


def test_a_channel_that_is_searched_is_drawn(linkwork, look):
    linkwork("run", "squeezer", "--report", "page.html", "--quiet")
    page = look()
    before = page.page.locator(".plot").count()
    page.page.get_by_role("button", name="+ plot").click()
    page.page.locator(".search").fill("link_eh angle vel")
    page.page.keyboard.press("Enter")
    assert page.page.locator(".plot").count() == before + 1
    plot = page.page.locator(".plot").first
    assert "link_eh.angle.velocity" in plot.locator(".chip").text_content()
    assert "rad/s" in plot.locator(".chip").text_content()
    drawn = plot.locator("canvas").evaluate(
        """c => {
            const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            let blue = 0;
            for (let i = 0; i < data.length; i += 4)
                if (data[i + 2] > data[i] + 60 && data[i + 3] > 100) blue++;
            return blue;
        }"""
    )
    assert drawn > 100, "a blue curve"
    with page.page.expect_download() as saved:
        plot.get_by_role("button", name="svg").click()
    text = open(saved.value.path()).read()
    assert text.startswith("<svg") and "link_eh.angle.velocity (rad/s)" in text
    with page.page.expect_download() as saved:
        plot.get_by_role("button", name="csv").click()
    lines = open(saved.value.path()).read().splitlines()
    assert lines[0] == "t,link_eh.angle.velocity" and len(lines) == 202


def ink(plot):
    """The pixels of a plot, as text."""
    return plot.locator("canvas").evaluate("c => c.toDataURL()")


def test_plots_zoom_pan_and_set_the_time(linkwork, look):
    linkwork("run", "squeezer", "--report", "page.html", "--quiet")
    page = look()
    first, second = page.page.locator(".plot").nth(0), page.page.locator(".plot").nth(1)
    whole = [ink(first), ink(second)]
    box = first.locator(".u-over").bounding_box()
    middle = (box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.page.mouse.click(*middle)
    start, end = page.api("range()")
    assert page.api("time()") == pytest.approx(0.5 * (start + end), abs=0.02 * (end - start))
    page.page.mouse.move(*middle)
    page.page.mouse.wheel(0, -300)
    page.settle()
    near = [ink(first), ink(second)]
    assert near[0] != whole[0] and near[1] != whole[1], "both share the axis"
    page.page.keyboard.down("Shift")
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + 60, middle[1], steps=4)
    page.page.mouse.up()
    page.page.keyboard.up("Shift")
    page.settle()
    assert ink(first) not in (whole[0], near[0]), "it is moved"
    first.locator(".u-over").dblclick()
    page.settle()
    assert ink(second) == whole[1], "a double click shows all again"


def test_the_solver_tells_its_story(linkwork, look):
    linkwork("run", "squeezer", "--method", "bdf", "--rtol", "1e-3", "--once", "--report", "page.html", "--quiet")
    page = look()
    page.page.get_by_role("tab", name="Solver").click()
    titles = page.page.locator(".lane header b").all_text_contents()
    for title in ["step size", "order", "error over tolerance", "work per step", "constraint residual", "energy"]:
        assert any(t.startswith(title) for t in titles), f"{title} in {titles}"
    rejected = page.page.locator(".lanes table.list tbody tr").first
    assert "error above the tolerance" in rejected.text_content()
    t = float(rejected.locator("td").first.text_content())
    rejected.click()
    assert page.api("time()") == pytest.approx(t, rel=1e-3), "a click goes there"
    page.page.get_by_role("tab", name="Summary").click()
    words = page.page.locator(".summary").text_content()
    for word in ["converged", "bdf", "ggl", "rtol", "0.001", "factorisations", "limiters"]:
        assert word in words, word
    page.page.get_by_role("tab", name="Model").click()
    assert "[[joint]]" in page.page.locator("pre.text").first.text_content()


def test_events_are_marked_and_listed(linkwork, look, tmp_path):
    linkwork("run", "sampled", "--method", "bdf", "--t-end", "0.6", "--out", "kept", "--report", "page.html", "--quiet")
    assert len((tmp_path / "kept/events.csv").read_text().splitlines()) > 15
    linkwork("view", "kept", "--out", "kept.html", "--no-open")
    for name in ["page.html", "kept.html"]:
        page = look(name)
        plot = page.page.locator(".plot").first
        with page.page.expect_download() as saved:
            plot.get_by_role("button", name="svg").click()
        assert open(saved.value.path()).read().count('class="event"') > 15
        page.page.get_by_role("tab", name="Solver").click()
        rows = page.page.locator("table.events tbody tr")
        assert rows.count() > 15 and "forces jump" in rows.first.text_content()
        t = float(rows.nth(5).locator("td").first.text_content())
        rows.nth(5).click()
        assert page.api("time()") == pytest.approx(t)
    linkwork("plot", "kept", "motor", "--out", "motor.svg")
    assert (tmp_path / "motor.svg").read_text().count('class="event"') > 15
    # results of a run without events take none over
    linkwork("run", "four_bar", "--t-end", "0.1", "--out", "kept", "--quiet")
    assert not (tmp_path / "kept/events.csv").exists()


def test_loads_are_those_of_the_table(linkwork, look, tmp_path):
    linkwork("run", "squeezer", "--format", "csv", "--out", "kept", "--report", "page.html", "--quiet")
    page = look()
    page.page.get_by_role("tab", name="Loads").click()
    rows = page.page.locator(".loads tbody tr")
    header, *lines = (tmp_path / "kept/table.csv").read_text().splitlines()
    names = header.split(",")
    table = [[float(x) for x in line.split(",")] for line in lines]
    name = rows.first.locator("th").text_content()
    x, y = (names.index(f"{name}.reaction.{k}") for k in "xy")
    size, t = max(((row[x] ** 2 + row[y] ** 2) ** 0.5, row[0]) for row in table)
    cells = rows.first.locator("td").all_text_contents()
    assert float(cells[1]) == pytest.approx(size, rel=1e-3)
    rows.first.click()
    assert page.api("time()") == pytest.approx(t)
    assert page.page.locator(".card .name").text_content() == name
    with page.page.expect_download() as saved:
        page.page.locator(".loads").get_by_role("button", name="csv").click()
    # ten hinges and two springs and torques that have channels of force or torque
    assert len(open(saved.value.path()).read().splitlines()) == rows.count() + 1


def test_following_and_tracing(linkwork, look):
    linkwork("run", "four_bar", "--report", "page.html", "--quiet")
    page = look()
    still = page.picture()
    page.api("select('coupler')")
    page.page.locator(".card").get_by_role("button", name="trace", exact=True).click()
    page.api("select('')")
    page.settle()
    assert page.picture() != still, "its path is drawn"
    page.api("select('coupler')")
    page.page.locator(".card").get_by_role("button", name="follow", exact=True).click()
    page.settle()
    before = page.api("project('coupler')")
    page.api("setTime(0.7 * linkwork.range()[1])")
    page.settle()
    after = page.api("project('coupler')")
    assert after == pytest.approx(before, abs=3), "the camera goes along"


def test_arrows_ghost_centre_and_paths(linkwork, look):
    linkwork("run", "stewart", "--report", "page.html", "--quiet")
    page = look()
    pictures = [page.picture()]
    slider = page.page.locator("#arrows")
    slider.evaluate("s => { s.value = 0.6; s.dispatchEvent(new Event('input')); }")
    page.settle()
    pictures.append(page.picture())
    assert "longest" in page.page.locator(".legend").text_content()
    page.api("setTime(1.6)")
    for label in ["start", "ground", "mass"]:
        page.page.locator(".tools").get_by_text(label, exact=True).click()
        page.settle()
        pictures.append(page.picture())
    for look_from in ["front", "top", "side"]:
        page.page.locator(".tools").get_by_role("button", name=look_from).click()
        page.settle()
        pictures.append(page.picture())
    assert len(set(pictures)) == len(pictures), "every tool changes the picture"


def test_playing_and_keys(linkwork, look):
    linkwork("run", "four_bar", "--report", "page.html", "--quiet")
    page = look()
    page.page.keyboard.press("ArrowRight")
    first = page.api("time()")
    assert first > page.api("range()")[0]
    page.page.keyboard.press("ArrowLeft")
    assert page.api("time()") == page.api("range()")[0]
    page.page.keyboard.press(" ")
    for _ in range(100):
        page.page.wait_for_timeout(50)
        if page.api("time()") > 2 * first:
            break
    else:
        pytest.fail("it does not play")
    page.page.keyboard.press(" ")
