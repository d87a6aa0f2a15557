# Written by `python python/tests/stubs.py` from the registries; do not edit.

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike

Number = float | str
Vector = Sequence[Number] | ArrayLike

REGISTRY: dict[str, Any]
SECTIONS: tuple[str, ...]

def identifier(word: str) -> str: ...
def word(name: str) -> str: ...
def kinds(section: str) -> dict[str, dict[str, Any]]: ...
def describe_key(key: dict[str, Any]) -> str: ...
def documentation(entry: dict[str, Any]) -> str: ...

class Section:
    def __init__(self, model: Any) -> None: ...
    def __call__(self, name: str, kind: str | None = None, **keys: Any) -> str: ...

class BodyKinds(Section):
    def rigid(
        self,
        name: str,
        *,
        mass: Number,
        inertia: Number | Sequence[Any] | ArrayLike,
        centre_of_mass: Vector | None = None,
        position: Vector | None = None,
        quaternion: Number | Sequence[Any] | ArrayLike | None = None,
        rotation_vector: Vector | None = None,
        cardan: Vector | None = None,
        euler: Vector | None = None,
        rotation_axis: Vector | None = None,
        rotation_angle: Number | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
        angle: Number | None = None,
    ) -> str:
        """A rigid body: x, y and z of its centre of mass, and an orientation. In the plane: A body that
        moves parallel to the x-y plane: x and y of its centre of mass, and an angle about z.

        mass [kg]: Mass; 0 for a part whose motion the joints determine completely. (required)
        inertia [kg m^2]: Moments of inertia about the centre of mass in body axes: a number for
            all three axes, [Jxx, Jyy, Jzz], [Jxx, Jyy, Jzz, Jxy, Jxz, Jyz] or three rows; off-
            diagonal entries are those of the matrix, minus the products of inertia. (required)
        centre_of_mass [m]: Centre of mass in the frame of the body. Results refer to it.
            (default: [0, 0, 0])
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        quaternion: Orientation: scalar part, then vector part; normalised. (default: [1, 0, 0,
            0])
        rotation_vector [rad]: Orientation: the axis of rotation times its angle. (default: not
            used)
        cardan [rad]: Orientation: angles about x, the new y and the new z. (default: not used)
        euler [rad]: Orientation: angles about z, the new x and the new z. (default: not used)
        rotation_axis: Orientation: the axis that `rotation_angle` turns about. (default: not
            used)
        rotation_angle [rad]: Orientation: the angle about `rotation_axis`. (default: not used)
        velocity [m/s]: Start velocity of the centre of mass. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity, in body axes. (default: [0, 0, 0])
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        angle [rad]: Start angle about z. (default: 0)
        """

    def planar(
        self,
        name: str,
        *,
        mass: Number,
        inertia: Number,
        centre_of_mass: Vector | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        velocity: Vector | None = None,
        angular_velocity: Number | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
    ) -> str:
        """A body that moves parallel to the x-y plane: x and y of its centre of mass, and an angle about
        z.

        mass [kg]: Mass; 0 for a part whose motion the joints determine completely. (required)
        inertia [kg m^2]: Moment of inertia about the axis through the centre of mass along z.
            (required)
        centre_of_mass [m]: Centre of mass in the frame of the body. Results refer to it.
            (default: [0, 0, 0])
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        angle [rad]: Start angle about z. (default: 0)
        velocity [m/s]: Start velocity of the centre of mass. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity about z. (default: 0)
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        """

    def point(
        self,
        name: str,
        *,
        mass: Number,
        position: Vector | None = None,
        velocity: Vector | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
    ) -> str:
        """A point mass: x, y and z, no orientation. In the plane: A point mass that moves parallel to the
        x-y plane: x and y, no orientation.

        mass [kg]: Mass; 0 for a part whose motion the joints determine completely. (required)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        velocity [m/s]: Start velocity of the centre of mass. (default: [0, 0, 0])
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        """

    def bead(
        self,
        name: str,
        *,
        mass: Number,
        position: Vector | None = None,
        velocity: Vector | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
    ) -> str:
        """A point mass that moves parallel to the x-y plane: x and y, no orientation.

        mass [kg]: Mass; 0 for a part whose motion the joints determine completely. (required)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        velocity [m/s]: Start velocity of the centre of mass. (default: [0, 0, 0])
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        """

    def modal(
        self,
        name: str,
        *,
        file: str | None = None,
        points: Number | Sequence[Any] | ArrayLike,
        masses: Number | Sequence[Any] | ArrayLike,
        inertias: Number | Sequence[Any] | ArrayLike | None = None,
        modes: Number | Sequence[Any] | ArrayLike,
        mode_rotations: Number | Sequence[Any] | ArrayLike | None = None,
        stiffness: Number | Sequence[Any] | ArrayLike,
        cubic_energy: Number | Sequence[Any] | ArrayLike | None = None,
        added_mass: Number | Sequence[Any] | ArrayLike | None = None,
        modal_mass: Number | Sequence[Any] | ArrayLike | None = None,
        damping_ratio: Number | Sequence[Any] | ArrayLike | None = None,
        damping: Number | Sequence[Any] | ArrayLike | None = None,
        rayleigh: Number | Sequence[Any] | ArrayLike | None = None,
        mode_names: Number | Sequence[Any] | ArrayLike | None = None,
        shortening: Number | Sequence[Any] | ArrayLike | None = None,
        outputs: Number | Sequence[Any] | ArrayLike | None = None,
        output_units: Number | Sequence[Any] | ArrayLike | None = None,
        output_factors: Number | Sequence[Any] | ArrayLike | None = None,
        expected_mass: Number | None = None,
        expected_frequencies: Number | Sequence[Any] | ArrayLike | None = None,
        frames: Number | Sequence[Any] | ArrayLike | None = None,
        frame_points: Number | Sequence[Any] | ArrayLike | None = None,
        position: Vector | None = None,
        quaternion: Number | Sequence[Any] | ArrayLike | None = None,
        rotation_vector: Vector | None = None,
        cardan: Vector | None = None,
        euler: Vector | None = None,
        rotation_axis: Vector | None = None,
        rotation_angle: Number | None = None,
        amplitudes: Number | Sequence[Any] | ArrayLike | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        amplitude_rates: Number | Sequence[Any] | ArrayLike | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
        angle: Number | None = None,
    ) -> str:
        """A flexible body: x, y, z and orientation of a floating frame, and amplitudes of mode shapes,
        which are small deformations. Joints, forces and sensors are attached to its named points as
        bodies called `body.frame`. In the plane: A flexible body that moves and bends parallel to the
        x-y plane: x, y and angle of a floating frame, and amplitudes of mode shapes, which are small
        deformations. Joints, forces and sensors are attached to its named points as bodies called
        `body.frame`.

        file: File of a reduced finite-element model, from the folder of the model: it tells
            points, modes, stiffness, damping ratios and frames, which are left out here then.
            For bodies in space. (default: they are given here)
        points [m]: Places of its points in the body frame, a list of [x, y, z]. (required)
        masses [kg]: Lumped masses of the points. (required)
        inertias [kg m^2]: Lumped moments of inertia of the points about the axes of the body, a
            list of [Jx, Jy, Jz]. (default: 0)
        modes: Mode shapes, a row for each: the displacements x, y, z of all points by one unit
            of its amplitude. None may be a motion of the whole body. (required)
        mode_rotations: The same for the rotations of the points about x, y, z, rad. (default:
            0)
        stiffness: Stiffness of the modes: a number for each, or a matrix by rows. The square of
            the angular frequency for modes of unit mass. (required)
        cubic_energy: Strain energy beyond that of the stiffness: a list of [i, j, k, factor],
            the factor times the amplitudes of modes i, j and k, counted from 1. (default: [])
        added_mass: Inertia of the modes beside that of the points, of masses that they move
            along x to both sides alike: a matrix by rows. (default: 0)
        modal_mass: Inertia of the modes in place of that of the points and of `added_mass`: a
            matrix by rows. Of modes of a consistent mass, which lumped masses have not.
            (default: that of the points)
        damping_ratio: Damping ratio of each mode. (default: 0)
        damping: Further damping of the modes: a matrix by rows. (default: 0)
        rayleigh: Further damping in proportion to mass (1/s) and stiffness (s). (default: [0,
            0])
        mode_names: What the modes are called in messages. (default: 1, 2, 3 and so on)
        shortening: Second-order displacements along -x, by which axial forces stiffen: for each
            point a matrix B by rows, z' B z/2 for amplitudes z. Points with mass must lie on
            the x axis. (default: 0)
        outputs: Names of further results that are sums over the amplitudes, such as stresses.
            (default: [])
        output_units: Their units. (default: none)
        output_factors: A row for each: factors of the amplitudes. (default: none)
        expected_mass [kg]: Mass that the source of these numbers told; refused where the points
            have another. (default: not checked)
        expected_frequencies [Hz]: Lowest frequencies of the free body that the source of these
            numbers told; refused where modes and stiffness have others. (default: not checked)
        frames: Names of frames that are fixed to points and turn with them. (default: [])
        frame_points: Which points these are, counted from 1. (default: 1, 2, 3 and so on)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        quaternion: Orientation: scalar part, then vector part; normalised. (default: [1, 0, 0,
            0])
        rotation_vector [rad]: Orientation: the axis of rotation times its angle. (default: not
            used)
        cardan [rad]: Orientation: angles about x, the new y and the new z. (default: not used)
        euler [rad]: Orientation: angles about z, the new x and the new z. (default: not used)
        rotation_axis: Orientation: the axis that `rotation_angle` turns about. (default: not
            used)
        rotation_angle [rad]: Orientation: the angle about `rotation_axis`. (default: not used)
        amplitudes: Start amplitudes of the modes. (default: 0)
        velocity [m/s]: Start velocity of the origin of the body. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity, in body axes. (default: [0, 0, 0])
        amplitude_rates: Start rates of the amplitudes. (default: 0)
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        angle [rad]: Start angle about z. (default: 0)
        """

    def planar_modal(
        self,
        name: str,
        *,
        file: str | None = None,
        points: Number | Sequence[Any] | ArrayLike,
        masses: Number | Sequence[Any] | ArrayLike,
        inertias: Number | Sequence[Any] | ArrayLike | None = None,
        modes: Number | Sequence[Any] | ArrayLike,
        mode_rotations: Number | Sequence[Any] | ArrayLike | None = None,
        stiffness: Number | Sequence[Any] | ArrayLike,
        cubic_energy: Number | Sequence[Any] | ArrayLike | None = None,
        added_mass: Number | Sequence[Any] | ArrayLike | None = None,
        modal_mass: Number | Sequence[Any] | ArrayLike | None = None,
        damping_ratio: Number | Sequence[Any] | ArrayLike | None = None,
        damping: Number | Sequence[Any] | ArrayLike | None = None,
        rayleigh: Number | Sequence[Any] | ArrayLike | None = None,
        mode_names: Number | Sequence[Any] | ArrayLike | None = None,
        shortening: Number | Sequence[Any] | ArrayLike | None = None,
        outputs: Number | Sequence[Any] | ArrayLike | None = None,
        output_units: Number | Sequence[Any] | ArrayLike | None = None,
        output_factors: Number | Sequence[Any] | ArrayLike | None = None,
        expected_mass: Number | None = None,
        expected_frequencies: Number | Sequence[Any] | ArrayLike | None = None,
        frames: Number | Sequence[Any] | ArrayLike | None = None,
        frame_points: Number | Sequence[Any] | ArrayLike | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        amplitudes: Number | Sequence[Any] | ArrayLike | None = None,
        velocity: Vector | None = None,
        angular_velocity: Number | None = None,
        amplitude_rates: Number | Sequence[Any] | ArrayLike | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
    ) -> str:
        """A flexible body that moves and bends parallel to the x-y plane: x, y and angle of a floating
        frame, and amplitudes of mode shapes, which are small deformations. Joints, forces and sensors
        are attached to its named points as bodies called `body.frame`.

        file: File of a reduced finite-element model, from the folder of the model: it tells
            points, modes, stiffness, damping ratios and frames, which are left out here then.
            For bodies in space. (default: they are given here)
        points [m]: Places of its points in the body frame, a list of [x, y]. (required)
        masses [kg]: Lumped masses of the points. (required)
        inertias [kg m^2]: Lumped moments of inertia of the points about z. (default: 0)
        modes: Mode shapes, a row for each: the displacements x, y of all points by one unit of
            its amplitude. None may be a motion of the whole body. (required)
        mode_rotations: The same for the rotations of the points about z, rad. (default: 0)
        stiffness: Stiffness of the modes: a number for each, or a matrix by rows. The square of
            the angular frequency for modes of unit mass. (required)
        cubic_energy: Strain energy beyond that of the stiffness: a list of [i, j, k, factor],
            the factor times the amplitudes of modes i, j and k, counted from 1. (default: [])
        added_mass: Inertia of the modes beside that of the points, of masses that they move
            along x to both sides alike: a matrix by rows. (default: 0)
        modal_mass: Inertia of the modes in place of that of the points and of `added_mass`: a
            matrix by rows. Of modes of a consistent mass, which lumped masses have not.
            (default: that of the points)
        damping_ratio: Damping ratio of each mode. (default: 0)
        damping: Further damping of the modes: a matrix by rows. (default: 0)
        rayleigh: Further damping in proportion to mass (1/s) and stiffness (s). (default: [0,
            0])
        mode_names: What the modes are called in messages. (default: 1, 2, 3 and so on)
        shortening: Second-order displacements along -x, by which axial forces stiffen: for each
            point a matrix B by rows, z' B z/2 for amplitudes z. Points with mass must lie on
            the x axis. (default: 0)
        outputs: Names of further results that are sums over the amplitudes, such as stresses.
            (default: [])
        output_units: Their units. (default: none)
        output_factors: A row for each: factors of the amplitudes. (default: none)
        expected_mass [kg]: Mass that the source of these numbers told; refused where the points
            have another. (default: not checked)
        expected_frequencies [Hz]: Lowest frequencies of the free body that the source of these
            numbers told; refused where modes and stiffness have others. (default: not checked)
        frames: Names of frames that are fixed to points and turn with them. (default: [])
        frame_points: Which points these are, counted from 1. (default: 1, 2, 3 and so on)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        angle [rad]: Start angle about z. (default: 0)
        amplitudes: Start amplitudes of the modes. (default: 0)
        velocity [m/s]: Start velocity of the origin of the body. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity about z. (default: 0)
        amplitude_rates: Start rates of the amplitudes. (default: 0)
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        """

    def flexible_beam(
        self,
        name: str,
        *,
        length: Number,
        section: str,
        material: str,
        modes: Number | Sequence[Any] | ArrayLike | None = None,
        mode_set: str | None = None,
        theory: str | None = None,
        stiffening: bool | None = None,
        damping_ratio: Number | Sequence[Any] | ArrayLike | None = None,
        rayleigh: Number | Sequence[Any] | ArrayLike | None = None,
        frames: Number | Sequence[Any] | ArrayLike | None = None,
        frame_places: Number | Sequence[Any] | ArrayLike | None = None,
        position: Vector | None = None,
        quaternion: Number | Sequence[Any] | ArrayLike | None = None,
        rotation_vector: Vector | None = None,
        cardan: Vector | None = None,
        euler: Vector | None = None,
        rotation_axis: Vector | None = None,
        rotation_angle: Number | None = None,
        amplitudes: Number | Sequence[Any] | ArrayLike | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        amplitude_rates: Number | Sequence[Any] | ArrayLike | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
        angle: Number | None = None,
    ) -> str:
        """A straight beam along the x axis of its frame, from its origin, with small deformations: modes
        of bending, tension and torsion from section and material. It has the frames `start` and `end`;
        attach to `body.end`. In the plane: A straight beam along the x axis of its frame, from its
        origin, that bends in the x-y plane, with small deformations: modes of bending and tension from
        section and material. It has the frames `start` and `end`; attach to `body.end`.

        length [m]: Length. (required)
        section: Name of its cross-section. (required)
        material: Name of its material. (required)
        modes: Number of modes of bending along y, bending along z, tension and torsion, up to
            20 of each. (default: [3, 3, 1, 1])
        mode_set: Which modes: `free` (of the free beam), `clamped` (at its start), `pinned`
            (between pins) or `interface` (deflections by loads at both ends and modes between
            clamped ends: Craig and Bampton). It also says what the frame follows. (default:
            interface)
        theory: `timoshenko`: sections shear and have rotary inertia; `euler`: they do not.
            (default: timoshenko)
        stiffening: Whether axial forces stiffen or soften bending: those of a rotation, of
            accelerations along the axis and of what is attached. (default: true)
        damping_ratio: Damping ratio of all modes, or of each. (default: 0)
        rayleigh: Further damping in proportion to mass (1/s) and stiffness (s). (default: [0,
            0])
        frames: Names of frames besides `start` and `end`. (default: [])
        frame_places: Where these are, as parts of the length: 0.5 is the middle. (default:
            none)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        quaternion: Orientation: scalar part, then vector part; normalised. (default: [1, 0, 0,
            0])
        rotation_vector [rad]: Orientation: the axis of rotation times its angle. (default: not
            used)
        cardan [rad]: Orientation: angles about x, the new y and the new z. (default: not used)
        euler [rad]: Orientation: angles about z, the new x and the new z. (default: not used)
        rotation_axis: Orientation: the axis that `rotation_angle` turns about. (default: not
            used)
        rotation_angle [rad]: Orientation: the angle about `rotation_axis`. (default: not used)
        amplitudes: Start amplitudes of the modes. (default: 0)
        velocity [m/s]: Start velocity of the origin of the body. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity, in body axes. (default: [0, 0, 0])
        amplitude_rates: Start rates of the amplitudes. (default: 0)
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        angle [rad]: Start angle about z. (default: 0)
        """

    def planar_flexible_beam(
        self,
        name: str,
        *,
        length: Number,
        section: str,
        material: str,
        modes: Number | Sequence[Any] | ArrayLike | None = None,
        mode_set: str | None = None,
        theory: str | None = None,
        stiffening: bool | None = None,
        damping_ratio: Number | Sequence[Any] | ArrayLike | None = None,
        rayleigh: Number | Sequence[Any] | ArrayLike | None = None,
        frames: Number | Sequence[Any] | ArrayLike | None = None,
        frame_places: Number | Sequence[Any] | ArrayLike | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        amplitudes: Number | Sequence[Any] | ArrayLike | None = None,
        velocity: Vector | None = None,
        angular_velocity: Number | None = None,
        amplitude_rates: Number | Sequence[Any] | ArrayLike | None = None,
        exact: bool | Sequence[str] | None = None,
        start_weight: Number | None = None,
    ) -> str:
        """A straight beam along the x axis of its frame, from its origin, that bends in the x-y plane,
        with small deformations: modes of bending and tension from section and material. It has the
        frames `start` and `end`; attach to `body.end`.

        length [m]: Length. (required)
        section: Name of its cross-section. (required)
        material: Name of its material. (required)
        modes: Number of modes of bending and tension, up to 20 of each. (default: [3, 1])
        mode_set: Which modes: `free` (of the free beam), `clamped` (at its start), `pinned`
            (between pins) or `interface` (deflections by loads at both ends and modes between
            clamped ends: Craig and Bampton). It also says what the frame follows. (default:
            interface)
        theory: `timoshenko`: sections shear and have rotary inertia; `euler`: they do not.
            (default: timoshenko)
        stiffening: Whether axial forces stiffen or soften bending: those of a rotation, of
            accelerations along the axis and of what is attached. (default: true)
        damping_ratio: Damping ratio of all modes, or of each. (default: 0)
        rayleigh: Further damping in proportion to mass (1/s) and stiffness (s). (default: [0,
            0])
        frames: Names of frames besides `start` and `end`. (default: [])
        frame_places: Where these are, as parts of the length: 0.5 is the middle. (default:
            none)
        position [m]: Start position of the origin of the body. (default: [0, 0, 0])
        angle [rad]: Start angle about z. (default: 0)
        amplitudes: Start amplitudes of the modes. (default: 0)
        velocity [m/s]: Start velocity of the origin of the body. (default: [0, 0, 0])
        angular_velocity [rad/s]: Start angular velocity about z. (default: 0)
        amplitude_rates: Start rates of the amplitudes. (default: 0)
        exact: Start values that the assembly must keep; joints that do not allow them are an
            error: a list of "position", "orientation" ("angle" in planar models), "velocity",
            or true for all of them. (default: false)
        start_weight: How much its start values, where they are guesses, weigh when joints move
            them: those of a body with 100 move a hundredth as far as those of one with 1.
            (default: 1)
        """

class JointKinds(Section):
    def spherical(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_a and a point of body_b coincide; all rotations are free.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def revolute(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A hinge: a point of body_a and a point of body_b coincide, and an axis is common.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def prismatic(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        angle: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A slider: body_b moves along an axis of body_a and does not turn.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        angle [rad]: Angle of body_b minus angle of body_a, of bodies that move in the plane.
            (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def cylindrical(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A sleeve: body_b moves along an axis of body_a and turns about it.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def universal(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        second_axis: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A cross: a point of body_a and a point of body_b coincide, and an axis of body_a stays
        perpendicular to an axis of body_b.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        second_axis: Direction of the axis of body_b in global components in the start pose.
            (default: this or `axis_b`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def planar(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_b stays in a plane of body_a, and a direction of body_b normal to it: `axis` is
        the normal.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def fixed(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        angle: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Body_b does not move relative to body_a; the axis (z unless given) and the normals only say
        which directions are compared.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        angle [rad]: Angle of body_b minus angle of body_a, of bodies that move in the plane.
            (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def orientation(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        angle: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Body_b does not turn relative to body_a, and moves as it likes; the axis (z unless given) and
        the normals only say which directions are compared.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        angle [rad]: Angle of body_b minus angle of body_a, of bodies that move in the plane.
            (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def parallel_axes(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """An axis of body_b stays parallel to an axis of body_a; displacements and the turn about it are
        free.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def distance(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        length: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A massless rod: a point of body_a and a point of body_b keep their distance.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        length [m]: The distance. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def cable(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        bodies: bool | Sequence[str] | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        points: Number | Sequence[Any] | ArrayLike | None = None,
        length: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A cable of constant length runs through points of two or more bodies without friction, with the
        same tension everywhere. Its reaction is the pull of its first part on body_b.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        bodies: The further bodies, in their order: a list of names. (default: none)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        points [m]: Attachment points in the frames of the further bodies: a list of vectors.
            (default: origins)
        length [m]: Length of the cable. (default: as it is at the start)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def point_on_line(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_b stays on a line through a point of body_a along an axis of body_a.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def point_on_plane(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_b stays in the plane through a point of body_a normal to an axis of body_a.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def drive(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        quantity: str | None = None,
        value: Number | Sequence[Sequence[Number]] | ArrayLike,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """An angle about an axis of body_a or a displacement along it follows a function of time.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        quantity: What is prescribed: `angle` or `displacement`. (default: angle)
        value: The prescribed value, in rad or m: a formula of `t` or a table [[t, value], ...].
            (required)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def motion(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        x: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        y: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        z: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        alpha: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        beta: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        gamma: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """All six motions of body_b relative to body_a follow functions of time (formulas of `t` or tables
        [[t, value], ...]): x, y, z are along the normal, the third direction and the axis of body_a
        (global z unless given).

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        x [m]: Displacement along the normal of body_a. (default: 0)
        y [m]: Displacement along axis x normal of body_a. (default: 0)
        z [m]: Displacement along the axis of body_a. (default: 0)
        alpha [rad]: First Cardan angle, about x. (default: 0)
        beta [rad]: Second Cardan angle, about the new y. (default: 0)
        gamma [rad]: Third Cardan angle, about the new z. (default: 0)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def servo(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        quantity: str | None = None,
        signal: Number,
        frequency: Number,
        damping: Number | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """An angle about an axis of body_a or a displacement along it follows a signal, with a lag of
        second order between signal and motion.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        quantity: What follows: `angle` or `displacement`. (default: angle)
        signal: What is followed, in rad or m: a formula of `t` and signals. (required)
        frequency [Hz]: Frequency of the lag: what is slower is followed. (required)
        damping: Damping ratio of the lag. (default: 1)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def screw(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        pitch: Number,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A thread: body_b turns about an axis of body_a and advances along it by a fixed length per turn.
        Without a turn the two points coincide.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        pitch [m]: Advance per turn; negative for a left-handed thread. (required)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def gear(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        ratio: Number,
        mesh: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        second_axis: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Two wheels turn in a fixed ratio, each about its own axis and seen from the carrier of their
        bearings, which may move. The bearings are joints of their own.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        ratio: Turns of body_b per turn of body_a; negative for outer teeth if both axes point
            the same way. (required)
        mesh: How the axes lie: `parallel` (spur gears, belts) or `crossed` (bevel and worm
            gears). (default: parallel)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        second_axis: Direction of the axis of body_b in global components in the start pose.
            (default: parallel to the first)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def differential(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        bodies: bool | Sequence[str] | None = None,
        factors: Number | Sequence[Any] | ArrayLike,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Turns of two or more shafts about one axis of body_a, each times a factor, have the sum zero:
        the drive of an axle, an epicyclic gear. The bearings are joints of their own.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        bodies: The further bodies, in their order: a list of names. (default: none)
        factors: Factors of the turns of body_b and of the further bodies: a list of numbers.
            (required)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rack_pinion(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        radius: Number,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        rack: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A pinion, body_b, rolls along a rack of body_a: its centre moves along the rack in proportion to
        its turn. Without a turn the two points are level.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        radius [m]: Way of the pinion along the rack per radian of its turn against the rack,
            about its axis; negative if it rolls backwards. (required)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        rack: Direction of the rack in global components in the start pose. (default: this or
            `normal_a`)
        normal_a: Direction of the rack in the frame of body_a. (default: this or `rack`)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def constant_velocity(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        second_axis: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A coupling of two shafts: a point of body_a and a point of body_b coincide, and both bodies turn
        equally fast about their axes at any bend below a right angle.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        second_axis: Direction of the shaft of body_b in global components in the start pose.
            (default: along the first)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def cam(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        follower: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        normal_a: Vector | None = None,
        face: Vector | None = None,
        normal_b: Vector | None = None,
        profile: Number | Sequence[Sequence[Number]] | ArrayLike,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A follower, body_b, stays on the outline of a cam, body_a: with a tip, or with a flat face.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        follower: The follower: `knife` (a tip, or the centre of a roller) or `flat` (a face).
            (default: knife)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        face: Normal of a flat face, away from the cam, in global components in the start pose.
            (default: this or `normal_b` if flat)
        normal_b: Normal of a flat face, away from the cam, in the frame of body_b. (default:
            this or `face` if flat)
        profile [m]: Distance of the tip or of the face from the axis: a formula of `angle` or a
            table [[angle, distance], ...] from 0 to 360 deg, which closes smoothly if it ends
            as it begins. `angle` is that of the tip, or of the normal of the face, against the
            normal of the cam about its axis. (required)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def point_on_curve(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        offset: Number | Sequence[Sequence[Number]] | ArrayLike,
        side: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        normal_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A bead on a wire: a point of body_b stays on a curve of body_a, given by its offsets from a
        straight axis through point_a as functions of the length s along it.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        offset [m]: Offset along the normal: a formula of `s` or a table [[s, offset], ...].
            (required)
        side [m]: Offset along axis x normal: a formula of `s` or a table [[s, offset], ...].
            (default: 0)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def point_on_surface(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        profile: Number | Sequence[Sequence[Number]] | ArrayLike,
        surface: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        normal_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_b stays on a curved surface of body_a: a road or ridge of given height, or a
        surface of revolution.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        profile [m]: A formula of `s` or a table [[s, length], ...]: height along the axis over
            the length s along the normal (`ridge`), or distance from the axis over the length s
            along it (`revolution`). (required)
        surface: What the profile means: `ridge` or `revolution`. (default: ridge)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rolling_disc(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        normal: Vector | None = None,
        normal_a: Vector | None = None,
        axis: Vector | None = None,
        axis_b: Vector | None = None,
        radius: Number,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A thin disc of body_b touches a plane of body_a and rolls on it without slip.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        normal: Normal of the plane in global components in the start pose. (default: [0, 0, 1];
            [0, 1] in planar models)
        normal_a: Normal of the plane in the frame of body_a. (default: not used)
        axis: Axis of the disc in global components in the start pose. (default: this or
            `axis_b`; z in planar models)
        axis_b: Axis of the disc in the frame of body_b. (default: this or `axis`)
        radius [m]: Radius of the disc. (required)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def no_slip_wheel(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        normal: Vector | None = None,
        normal_a: Vector | None = None,
        axis: Vector | None = None,
        axis_b: Vector | None = None,
        radius: Number,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """The lowest point of a wheel of body_b does not slip, neither along nor across, on a plane of
        body_a; other joints hold the wheel at its height.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        normal: Normal of the plane in global components in the start pose. (default: [0, 0, 1];
            [0, 1] in planar models)
        normal_a: Normal of the plane in the frame of body_a. (default: not used)
        axis: Axis of the disc in global components in the start pose. (default: this or
            `axis_b`; z in planar models)
        axis_b: Axis of the disc in the frame of body_b. (default: this or `axis`)
        radius [m]: Radius of the disc. (required)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def knife_edge(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A point of body_b does not move, against body_a, in a direction that is fixed on body_b: the
        runner of a sleigh.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction across the edge in global components in the start pose; moves with
            body_b. (default: this or `axis_b`)
        axis_b: Direction across the edge in the frame of body_b. (default: this or `axis`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rolling_ellipsoid(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        radius: Number | None = None,
        semi_axes: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A sphere or an ellipsoid of body_b touches a plane of body_a and rolls on it without slip;
        `axis` is the normal of the plane.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        radius [m]: Radius of a sphere. (default: this or `semi_axes`)
        semi_axes [m]: Half the lengths of an ellipsoid along the axes of body_b. (default: this
            or `radius`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def wheel_rail(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        wheel: Number | Sequence[Sequence[Number]] | ArrayLike,
        rail: Number | Sequence[Sequence[Number]] | ArrayLike,
        track: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axle: Vector | None = None,
        axis_b: Vector | None = None,
        up: Vector | None = None,
        normal_a: Vector | None = None,
        friction: Number | None = None,
        shear_modulus: Number | None = None,
        poisson: Number | None = None,
        c11: Number | None = None,
        c22: Number | None = None,
        c23: Number | None = None,
        ellipse_integral: Number | None = None,
        ellipse_ratio: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A wheel of body_b touches a rail of body_a, both with profiles, and creeps on it: `axis` is the
        direction of the track.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        wheel [m]: Radius of the wheel: a formula of `s`, the length along the axle from point_b
            to the left, or a table [[s, radius], ...]. (required)
        rail [m]: Height of the rail over point_a: a formula of `s`, the length to the left, or
            a table [[s, height], ...]. (required)
        track [m]: How far the rail has moved to the left: a formula of `s`, the way along the
            track, or a table [[s, offset], ...]. (default: 0)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axle: Direction of the axle, to the left, in global components in the start pose.
            (default: this or `axis_b`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        up: Direction up in global components in the start pose. (default: [0, 0, 1])
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        friction: Coefficient of friction; 0: no creep. (default: 0)
        shear_modulus [Pa]: Shear modulus of wheel and rail. (default: 79200000000)
        poisson: Poisson's ratio of wheel and rail. (default: 0.28)
        c11: Kalker's coefficient C11, of creep along. (default: 0)
        c22: Kalker's coefficient C22, of creep across. (default: 0)
        c23: Kalker's coefficient C23, of spin, across. (default: 0)
        ellipse_integral: Complete elliptic integral of the second kind of the ellipse of
            contact. (default: 1)
        ellipse_ratio: Shorter over longer axis of the ellipse of contact. (default: 1)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def limit(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        quantity: str | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        restitution: Number | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Stops: an angle about an axis of body_a or a displacement along it stays between two values; met
        by an impact.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        quantity: What is limited: `angle` or `displacement`. (default: angle)
        lower: The least value, in rad or m. (default: no stop)
        upper: The largest value, in rad or m. (default: no stop)
        restitution: Speed of departure over speed of approach at an impact, 0 to 1. (default:
            0)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rope(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        length: Number | None = None,
        restitution: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A rope: a point of body_a and a point of body_b are at most its length apart.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        length [m]: The largest distance. (default: taut in the start pose)
        restitution: Speed of departure over speed of approach at an impact, 0 to 1. (default:
            0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rigid_contact(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        radius_a: Number | None = None,
        radius: Number | None = None,
        restitution: Number | None = None,
        friction: Number | None = None,
        static_friction: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A sphere or point of body_b does not enter a plane or sphere of body_a: an impact, then a
        constraint while it presses; with friction that sticks.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        radius_a [m]: Radius of a sphere on body_a; without it `axis` or `axis_a` is the normal
            of a plane. (default: a plane instead)
        radius [m]: Radius of the sphere on body_b. (default: 0)
        restitution: Speed of departure over speed of approach at an impact, 0 to 1. (default:
            0)
        friction: Coefficient of friction while it slides. (default: 0)
        static_friction: Coefficient of friction while it sticks. (default: that of sliding)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def dry_friction(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        against: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        coulomb: Number,
        pressed_by: str | None = None,
        static_ratio: Number | None = None,
        speed: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Dry friction that sticks, against turning about an axis or sliding along it: a clutch, a brake,
        a belt.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        against: `turning` or `sliding`. (default: turning)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        coulomb: Torque of sliding friction in N m, or force in N; may name signals, and is none
            while it is below zero. With `pressed_by` over the force of that joint: the
            coefficient of friction, or that times the radius in m. (required)
        pressed_by: The joint whose reaction presses, by name: the force of a hinge, or that of
            a slide across its axis. (default: nothing)
        static_ratio: Static over sliding friction. (default: 1)
        speed: Speed of body_b against body_a, in rad/s or m/s, at which it sticks: that of a
            belt. (default: 0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

class ForceKinds(Section):
    def spring_damper(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        free_length: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A linear spring and damper in the line between two points.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        stiffness [N/m]: Force per elongation. (default: 0)
        damping [N s/m]: Force per rate of elongation. (default: 0)
        free_length [m]: Length at which the spring exerts no force. (default: as in the start
            pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def torsion_spring(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        stiffness: Number | None = None,
        torque: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        damping: Number | None = None,
        free_angle: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A torsional spring and damper about an axis of body_a.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        stiffness [N m/rad]: Torque per angle. (default: 0)
        torque [N m]: Further torque: a formula of `angle` or a table [[angle, torque], ...].
            (default: none)
        damping [N m s/rad]: Torque per rate of the angle. (default: 0)
        free_angle [rad]: Angle at which there is no torque; in planar models that of body_b
            minus that of body_a. (default: 0; in planar models as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def line_force(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        force: Number | None = None,
        least: Number | None = None,
        most: Number | None = None,
        elastic: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        viscous: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        free_length: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A force in the line between two points: an actuator with limits, a nonlinear spring or damper,
        or any formula.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        force [N]: Commanded force, pulling; may name signals. (default: 0)
        least [N]: Smallest commanded force. (default: none)
        most [N]: Largest commanded force. (default: none)
        elastic [N]: Spring force: a formula of `elongation` or a table [[elongation, force],
            ...]. (default: 0)
        viscous [N]: Damper force: a formula of `rate` or a table [[rate, force], ...].
            (default: 0)
        free_length [m]: Length at which the elongation is zero. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def elastic_cable(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        bodies: bool | Sequence[str] | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        points: Number | Sequence[Any] | ArrayLike | None = None,
        stiffness: Number,
        damping: Number | None = None,
        free_length: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A rope, belt or tendon runs through points of two or more bodies without friction: a spring and
        damper that pulls, with the same tension everywhere. Its parts are told as `NAME.1`, `NAME.2`
        and so on: `length` and `force`.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        bodies: The further bodies, in their order: a list of names. (default: none)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        points [m]: Attachment points in the frames of the further bodies: a list of vectors.
            (default: origins)
        stiffness [N/m]: Tension per elongation. (required)
        damping [N s/m]: Tension per rate of the length. (default: 0)
        free_length [m]: Length without tension. (default: as it is at the start)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def force(
        self,
        name: str,
        *,
        body_b: str,
        point: Vector | None = None,
        at: Vector | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        frame: str | None = None,
        marker: str | None = None,
    ) -> str:
        """A force at a point of a body, constant or a function of time and signals.

        body_b: The second body. (required)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        x [N]: Component along x; may name signals. (default: 0)
        y [N]: Component along y; may name signals. (default: 0)
        z [N]: Component along z; may name signals. (default: 0)
        frame: Whose axes x, y and z are: `global` or `body` (the force turns with the body).
            (default: global)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def torque(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        torque: Number,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A torque on body_b about an axis of body_a and its opposite on body_a, constant or a function of
        time and signals.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        torque [N m]: Torque on body_b; may name signals. (required)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def bushing(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        stiffness: Number | Sequence[Any] | ArrayLike,
        damping: Number | Sequence[Any] | ArrayLike | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A soft connection with full 6 x 6 stiffness and damping.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        stiffness: 6 numbers (three translations, three rotations, along normal, third
            direction, axis) or 6 rows of 6; SI units. (required)
        damping: 6 numbers (three translations, three rotations, along normal, third direction,
            axis) or 6 rows of 6; SI units. (default: 0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def friction(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        against: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        coulomb: Number,
        static_ratio: Number | None = None,
        transition_speed: Number,
        stribeck_speed: Number | None = None,
        viscous: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Dry friction, regularised, against turning about an axis or sliding along it.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        against: `turning` or `sliding`. (default: turning)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        coulomb: Torque of sliding friction in N m, or force in N; may name signals, and is none
            while it is below zero. (required)
        static_ratio: Static over sliding friction. (default: 1)
        transition_speed: Speed, in rad/s or m/s, below which friction falls to zero. (required)
        stribeck_speed: Speed, in rad/s or m/s, at which the extra static friction fades.
            (default: ten times the speed of transition)
        viscous: Friction per speed, N m s/rad or N s/m. (default: 0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def contact(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        radius_a: Number | None = None,
        radius: Number | None = None,
        stiffness: Number,
        exponent: Number | None = None,
        damping: Number | None = None,
        friction: Number | None = None,
        transition_speed: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A sphere or point of body_b on a plane or sphere of body_a, with damping and friction.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        radius_a [m]: Radius of a sphere on body_a; without it `axis` or `axis_a` is the normal
            of a plane. (default: a plane instead)
        radius [m]: Radius of the sphere on body_b. (default: 0)
        stiffness: Force per depth to the exponent, N/m^e. (required)
        exponent: 1.5 for elastic spheres, 1 for a spring. (default: 1.5)
        damping: Loss per speed of approach, s/m; about (1 - restitution)/speed. (default: 0)
        friction: Coefficient of friction. (default: 0)
        transition_speed [m/s]: Sliding speed below which friction falls to zero. (default:
            0.01)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def tyre(
        self,
        name: str,
        *,
        body_b: str,
        point: Vector | None = None,
        at: Vector | None = None,
        stiffness: Number,
        damping: Number | None = None,
        radius: Number,
        road: Number | Sequence[Sequence[Number]] | ArrayLike | None = None,
        lifts: bool | None = None,
        marker: str | None = None,
    ) -> str:
        """A wheel as a vertical spring and damper over a road profile; up is z.

        body_b: The second body. (required)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        stiffness [N/m]: Force per compression. (required)
        damping [N s/m]: Force per rate of compression. (default: 0)
        radius [m]: Radius of the tyre without load. (required)
        road [m]: Height of the road: a formula of `x` or a table [[x, height], ...]. (default:
            0)
        lifts: Whether the tyre may leave the road; false: it also pulls. (default: true)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def slip_tyre(
        self,
        name: str,
        *,
        body_b: str,
        point: Vector | None = None,
        at: Vector | None = None,
        axis: Vector | None = None,
        stiffness: Number,
        damping: Number | None = None,
        radius: Number,
        longitudinal_stiffness: Number,
        cornering_stiffness: Number,
        reference_speed: Number,
        marker: str | None = None,
    ) -> str:
        """A rolling wheel on the plane z = 0: vertical spring and damper, horizontal forces linear in
        slip.

        body_b: The second body. (required)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        axis: The axle, in the frame of the body. (default: [0, 1, 0])
        stiffness [N/m]: Vertical force per compression. (required)
        damping [N s/m]: Vertical force per speed of the centre. (default: 0)
        radius [m]: Radius of the tyre without load. (required)
        longitudinal_stiffness [N]: Force per slip in the rolling direction. (required)
        cornering_stiffness [N]: Force per lateral slip. (required)
        reference_speed [m/s]: Speed that slip refers to; constant, so that slip is defined at
            rest. (required)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def creep(
        self,
        name: str,
        *,
        body_b: str,
        point: Vector | None = None,
        at: Vector | None = None,
        axis: Vector | None = None,
        radius: Number,
        normal: Number,
        friction: Number | None = None,
        longitudinal_coefficient: Number,
        lateral_coefficient: Number,
        speed: Number,
        marker: str | None = None,
    ) -> str:
        """Creep forces between a wheel and a rail, linear in creepage up to friction.

        body_b: The second body. (required)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        axis: The axle, in the frame of the body. (default: [0, 1, 0])
        radius [m]: Rolling radius. (required)
        normal [N]: Normal force; may name signals. (required)
        friction: Coefficient of friction. (default: 0.3)
        longitudinal_coefficient [N]: Force per creepage in the rolling direction. (required)
        lateral_coefficient [N]: Force per lateral creepage. (required)
        speed [m/s]: Speed of the vehicle, which creepage refers to. (required)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def moment(
        self,
        name: str,
        *,
        body_b: str | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        frame: str | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A torque on a body by components, constant or functions of time and signals: a thruster pair
        that turns with it, or a torque along global axes.

        body_b: The second body. (default: this or `marker_b`)
        x [N m]: Component about x; may name signals. (default: 0)
        y [N m]: Component about y; may name signals. (default: 0)
        z [N m]: Component about z; may name signals. (default: 0)
        frame: Whose axes x, y and z are: `global` or `body` (the torque turns with the body).
            (default: global)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def hysteresis(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        stiffness: Number,
        hardening: Number | None = None,
        yield_: Number,
        sharpness: Number | None = None,
        shape: Number | None = None,
        damping: Number | None = None,
        free_length: Number | None = None,
        start: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A spring with hysteresis between two points (Bouc-Wen): it yields, and every cycle dissipates;
        its state is the deflection of the part that yields.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        stiffness [N/m]: Force per elongation before it yields. (required)
        hardening: Share of the stiffness that is left beyond yielding, 0 to 1. (default: 0)
        yield_ [m]: Deflection at which it yields. (required)
        sharpness: Exponent of the transition, 1 or more; large: elastic, then plastic.
            (default: 2)
        shape: Shape of unloading, 0.5 (straight) to 1 (slim loops). (default: 0.5)
        damping [N s/m]: Force per rate of the length. (default: 0)
        free_length [m]: Length without force as long as it has not yielded. (default: as in the
            start pose)
        start [m]: Deflection at the start of the run. (default: 0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def lugre_friction(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        against: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        coulomb: Number,
        static_ratio: Number | None = None,
        stribeck_speed: Number,
        bristle_stiffness: Number,
        bristle_damping: Number | None = None,
        viscous: Number | None = None,
        start: Number | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Dry friction that sticks, against turning about an axis or sliding along it (LuGre); its state
        is the deflection of bristles.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        against: `turning` or `sliding`. (default: turning)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        coulomb: Torque of sliding friction in N m, or force in N; may name signals. (required)
        static_ratio: Static over sliding friction, 1 or more. (default: 1)
        stribeck_speed: Speed, in rad/s or m/s, at which the extra static friction fades.
            (required)
        bristle_stiffness: Friction per deflection as long as it sticks, N m/rad or N/m.
            (required)
        bristle_damping: Friction per rate of the deflection, N m s/rad or N s/m. (default: 0)
        viscous: Friction per speed, N m s/rad or N s/m. (default: 0)
        start: Deflection at the start of the run, rad or m. (default: settled if faster than
            the Stribeck speed, else 0)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def rotor(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        inertia: Number,
        ratio: Number | None = None,
        carrier: str | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """The inertia of a rotor behind a gear, on the turn of body_b against body_a about an axis; it
        exerts nothing else.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        inertia [kg m^2]: Inertia about its axis. (required)
        ratio: Turns of the rotor per turn of body_b, both against body_a. (default: 1)
        carrier: `body_a`: the rotor turns with it as well; `none`: only the relative turn
            counts (armature). (default: body_a)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def beam(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        stiffness: Number | Sequence[Any] | ArrayLike,
        damping_time: Number | None = None,
        undeformed: Number | Sequence[Any] | ArrayLike | None = None,
        resistance: Number | Sequence[Any] | ArrayLike | None = None,
        of: str | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """A piece of a beam that may bend far, between frames on two bodies, which carry its mass;
        `[[beam]]` makes whole chains.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        stiffness: EA, GAy, GAz in N, then GJ, EIy, EIz in N m^2: axial, shear along y and z,
            torsion, bending about y and z. x is the axis and y the normal. (required)
        damping_time [s]: Kelvin-Voigt damping: a stress of this time multiplied by the rate of
            the elastic one. (default: 0)
        undeformed: Without strain: displacement (m) and rotation vector (rad) of the screw
            motion from the frame on body_a to that on body_b, along axis, normal and third
            direction. A straight piece: [length, 0, 0, 0, 0, 0]. (default: as in the start
            pose)
        resistance: [A, Wy, Wz] of a section with corners or [A, W] of a round one: area in m^2
            and section moduli in m^3, for the stress of outer fibres. (default: no stresses)
        of: Name of the beam that it is a piece of: the strain energy of all pieces is told as
            `of.strain_energy`. (default: its own is told alone)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

class SensorKinds(Section):
    def point(
        self,
        name: str,
        *,
        body: str | None = None,
        point: Vector | None = None,
        at: Vector | None = None,
        marker: str | None = None,
    ) -> str:
        """Position and velocity of a point of a body.

        body: The body. (default: this or `marker`)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def velocity(
        self,
        name: str,
        *,
        body: str | None = None,
        point: Vector | None = None,
        at: Vector | None = None,
        marker: str | None = None,
    ) -> str:
        """Velocity of a point of a body in the axes of the body: ahead, to the side, up.

        body: The body. (default: this or `marker`)
        point [m]: The point, in the frame of the body. (default: origin of the body)
        at [m]: Global place of the point in the start pose. (default: not used)
        marker: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def distance(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Distance of two points and its rate.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def angle(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_a: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Angle about an axis of body_a from a direction on body_a to one on body_b, over whole turns, and
        its rate; zero in the start pose unless the normals say otherwise.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`; z where planar bodies turn)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        axis_b: Direction of the axis in the frame of body_b. (default: as in the start pose)
        normal_a: Direction across the axis, in the frame of body_a, from which angles are
            measured. (default: any)
        normal_b: Direction across the axis, in the frame of body_b, to which angles are
            measured. (default: as in the start pose)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def displacement(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        at: Vector | None = None,
        point_a: Vector | None = None,
        at_a: Vector | None = None,
        point_b: Vector | None = None,
        at_b: Vector | None = None,
        axis: Vector | None = None,
        axis_a: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """How far a point of body_b is along an axis of body_a from a point of body_a, and its rate.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        at [m]: Global place, in the start pose, of the attachment points of both bodies.
            (default: not used)
        point_a [m]: Attachment point in the frame of body_a. (default: origin of body_a)
        at_a [m]: Global place, in the start pose, of the attachment point of body_a. (default:
            not used)
        point_b [m]: Attachment point in the frame of body_b. (default: origin of body_b)
        at_b [m]: Global place, in the start pose, of the attachment point of body_b. (default:
            not used)
        axis: Direction of the axis in global components in the start pose. (default: this or
            `axis_a`)
        axis_a: Direction of the axis in the frame of body_a. (default: this or `axis`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

    def orientation(
        self,
        name: str,
        *,
        body_a: str | None = None,
        body_b: str | None = None,
        axis_a: Vector | None = None,
        normal_a: Vector | None = None,
        axis_b: Vector | None = None,
        normal_b: Vector | None = None,
        marker_a: str | None = None,
        marker_b: str | None = None,
    ) -> str:
        """Yaw, pitch and roll of body_b as seen from body_a, and its relative angular velocity in the axes
        of body_b.

        body_a: The first body. (default: ground)
        body_b: The second body. (default: this or `marker_b`)
        axis_a: Instead of body_a a frame on it: its z axis, in the frame of body_a. (default:
            [0, 0, 1])
        normal_a: Direction of its x axis, as far as `axis_a` allows. (default: [1, 0, 0]; any
            across a given `axis_a`)
        axis_b: Instead of body_b a frame on it: its z axis, in the frame of body_b. (default:
            [0, 0, 1])
        normal_b: Direction of its x axis, as far as `axis_b` allows. (default: [1, 0, 0]; any
            across a given `axis_b`)
        marker_a: A marker in place of a body, a point and directions on it. (default: not used)
        marker_b: A marker in place of a body, a point and directions on it. (default: not used)
        """

class ControlKinds(Section):
    def filter(
        self,
        name: str,
        *,
        input: Number,
        time: Number,
        gain: Number | None = None,
        start: Number | None = None,
        scale: Number | None = None,
    ) -> str:
        """First-order lag: the output follows the input with a time constant.

        input: The input: a number or a formula of `t` and signals. (required)
        time [s]: Time constant. (required)
        gain: Output over input when settled. (default: 1)
        start: Output at the start of the run. (default: settled)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def transfer(
        self,
        name: str,
        *,
        input: Number,
        numerator: Number | Sequence[Any] | ArrayLike,
        denominator: Number | Sequence[Any] | ArrayLike,
        scale: Number | None = None,
    ) -> str:
        """Transfer function, numerator over denominator in falling powers of s.

        input: The input: a number or a formula of `t` and signals. (required)
        numerator: Coefficients by falling powers of s: [1, 2] is s + 2. (required)
        denominator: Coefficients by falling powers of s; at least of the numerator's degree.
            (required)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def state_space(
        self,
        name: str,
        *,
        inputs: Number | Sequence[Any] | ArrayLike,
        a: Number | Sequence[Any] | ArrayLike,
        b: Number | Sequence[Any] | ArrayLike,
        c: Number | Sequence[Any] | ArrayLike,
        d: Number | Sequence[Any] | ArrayLike | None = None,
        start: Number | Sequence[Any] | ArrayLike | None = None,
        scale: Number | None = None,
    ) -> str:
        """Linear state space: x' = A x + B u, y = C x + D u.

        inputs: The inputs: a list of numbers and formulas of `t` and signals. (required)
        a: Matrix A, a list of rows. (required)
        b: Matrix B, a list of rows. (required)
        c: Matrix C, a list of rows. (required)
        d: Matrix D, a list of rows. (default: zero)
        start: States at the start. (default: zero)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def pid(
        self,
        name: str,
        *,
        input: Number,
        target: Number | None = None,
        kp: Number | None = None,
        ki: Number | None = None,
        kd: Number | None = None,
        filter: Number | None = None,
        rate: Number | None = None,
        limit: Number | None = None,
        rounding: Number | None = None,
        tracking: Number | None = None,
        scale: Number | None = None,
    ) -> str:
        """PID controller with filtered derivative, limited output and anti-windup.

        input: What is controlled: a formula of `t` and signals. (required)
        target: What the input should be: a number or a formula of `t` and signals. (default: 0)
        kp: Proportional gain. (default: 0)
        ki: Integral gain. (default: 0)
        kd: Derivative gain. (default: 0)
        filter [s]: Time constant of the derivative filter. (default: 0.01)
        rate: Rate of the error where it is measured: it replaces the filtered derivative.
            (default: not used)
        limit: Largest magnitude of the output; the integral does not wind up beyond it.
            (default: none)
        rounding: Width of the rounded corners of the limits, as a share of the limit. (default:
            0.02)
        tracking [s]: Time in which the integral follows a limited output. (default: kp/ki)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def equation(
        self,
        name: str,
        *,
        residual: Number,
        start: Number | None = None,
        scale: Number | None = None,
    ) -> str:
        """Algebraic equation: the output is the value that makes a formula zero.

        residual: What must be zero: a formula of `t` and signals in which the name of the
            control is the unknown. (required)
        start: Guess of the output at the start. (default: 0)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def sampled_pid(
        self,
        name: str,
        *,
        input: Number,
        target: Number | None = None,
        sample_time: Number,
        kp: Number | None = None,
        ki: Number | None = None,
        kd: Number | None = None,
        limit: Number | None = None,
        scale: Number | None = None,
    ) -> str:
        """PID controller that reads by the clock and holds its output in between.

        input: What is controlled: a formula of `t` and signals. (required)
        target: What the input should be: a number or a formula of `t` and signals. (default: 0)
        sample_time [s]: Time between two samples; the first is taken at the start of the run.
            (required)
        kp: Proportional gain. (default: 0)
        ki: Integral gain. (default: 0)
        kd: Derivative gain. (default: 0)
        limit: Largest magnitude of the output; the integral does not wind up beyond it.
            (default: none)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def sampled_state_space(
        self,
        name: str,
        *,
        sample_time: Number,
        inputs: Number | Sequence[Any] | ArrayLike,
        a: Number | Sequence[Any] | ArrayLike,
        b: Number | Sequence[Any] | ArrayLike,
        c: Number | Sequence[Any] | ArrayLike,
        d: Number | Sequence[Any] | ArrayLike | None = None,
        start: Number | Sequence[Any] | ArrayLike | None = None,
        scale: Number | None = None,
    ) -> str:
        """Discrete state space: z[k+1] = A z + B u, y = C z + D u, held between the samples.

        sample_time [s]: Time between two samples; the first is taken at the start of the run.
            (required)
        inputs: The inputs: a list of numbers and formulas of `t` and signals. (required)
        a: Matrix A, a list of rows. (required)
        b: Matrix B, a list of rows. (required)
        c: Matrix C, a list of rows. (required)
        d: Matrix D, a list of rows. (default: zero)
        start: States at the start. (default: zero)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

    def input(
        self,
        name: str,
        *,
        value: Number | None = None,
        scale: Number | None = None,
    ) -> str:
        """A signal from outside: `linkwork cosim` connects it, else it follows its value.

        value: What it is when nothing is connected: a number or a formula of `t`. (default: 0)
        scale: Typical size of the states, which their absolute tolerance refers to. (default:
            1)
        """

class EventKinds(Section):
    def stop(
        self,
        name: str,
        *,
        when: Number,
    ) -> str:
        """The run ends, with a row.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        """

    def row(
        self,
        name: str,
        *,
        when: Number,
    ) -> str:
        """A row is written.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        """

    def set(
        self,
        name: str,
        *,
        when: Number,
        input: str,
        value: Number,
    ) -> str:
        """A control of kind `input`, or a parameter, has another value from then on.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        input: The control, or a parameter: formulas of forces and controls follow it.
            (required)
        value: Its value. (required)
        """

    def lock(
        self,
        name: str,
        *,
        when: Number,
        joint: str,
    ) -> str:
        """A hinge or a slide stands still from then on. A joint of kind `dry_friction` (a brake, a
        clutch), a stop, a rope or a rigid contact, which did nothing until then, is there.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        joint: The joint. (required)
        """

    def release(
        self,
        name: str,
        *,
        when: Number,
        joint: str,
    ) -> str:
        """A joint that was locked moves again; any other does not hold any more: something breaks or lets
        go.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        joint: The joint. (required)
        """

    def reverse(
        self,
        name: str,
        *,
        when: Number,
        joint: str,
        restitution: Number | None = None,
    ) -> str:
        """A hinge or a slide moves the other way from then on, by an impulse: it is knocked back.

        when: What has to become true: two formulas of `t` and signals, multipliers of joints
            among them, with > or < between them. (required)
        joint: The joint. (required)
        restitution: Speed behind it over speed before it, 0 to 1. (default: 1)
        """

class ShapeKinds(Section):
    def box(
        self,
        name: str,
        *,
        body: str,
        size: Number | Sequence[Any] | ArrayLike,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """A box about its centre.

        body: The body that it belongs to, or `ground`. (required)
        size [m]: Edges along x, y and z. (required)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

    def sphere(
        self,
        name: str,
        *,
        body: str,
        radius: Number,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """A sphere about its centre.

        body: The body that it belongs to, or `ground`. (required)
        radius [m]: Radius. (required)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

    def cylinder(
        self,
        name: str,
        *,
        body: str,
        radius: Number,
        length: Number,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """A cylinder along its z axis, about its centre.

        body: The body that it belongs to, or `ground`. (required)
        radius [m]: Radius. (required)
        length [m]: Length. (required)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

    def capsule(
        self,
        name: str,
        *,
        body: str,
        radius: Number,
        length: Number,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """A cylinder along its z axis with half spheres at its ends.

        body: The body that it belongs to, or `ground`. (required)
        radius [m]: Radius. (required)
        length [m]: Length without the half spheres. (required)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

    def extrusion(
        self,
        name: str,
        *,
        body: str,
        outline: Number | Sequence[Any] | ArrayLike,
        thickness: Number,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """An outline in x and y, extruded along z about its middle.

        body: The body that it belongs to, or `ground`. (required)
        outline [m]: Corners [[x, y], ...], in order. (required)
        thickness [m]: Thickness along z. (required)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

    def mesh(
        self,
        name: str,
        *,
        body: str,
        file: str,
        scale: Number | None = None,
        position: Number | Sequence[Any] | ArrayLike | None = None,
        axis: Number | Sequence[Any] | ArrayLike | None = None,
        angle: Number | None = None,
        colour: str | None = None,
    ) -> str:
        """Triangles of a file: STL, OBJ or glTF, found beside the model.

        body: The body that it belongs to, or `ground`. (required)
        file: Path of the file, from that of the model. (required)
        scale [m]: Length of one unit of the file: "1 mm". (default: 1)
        position [m]: Where its frame is, in that of the body; two or three numbers. (default:
            origin of the body)
        axis: Where its z axis points, in the frame of the body. (default: [0, 0, 1])
        angle [rad]: How it is turned about that axis. (default: 0)
        colour: Colour as "#rrggbb". (default: one is chosen)
        """

class SimulateOptions(TypedDict, total=False):
    t_end: Number | None
    # End time.
    coordinates: Literal['absolute', 'joint'] | None
    # Unknowns: `absolute`, of every body, with an equation for whatever a joint blocks;
    # `joint`, of the joints of a spanning tree, with equations only where loops close.
    # (default: absolute; where the method is left open, too, joint in space if that leaves
    # less than a third of the unknowns)
    cut: str | Sequence[str] | None
    # With joint coordinates: joints that stay equations instead of carrying a body,
    # separated by commas on the command line. (default: found by a search from the ground)
    formalism: Literal['residual', 'explicit'] | None
    # With joint coordinates and implicit methods: `residual`, M a + C_q' lambda = Q as it
    # stands, or `explicit`, a = M^-1 (Q - C_q' lambda). (default: residual)
    sampled: Literal['held', 'continuous'] | None
    # Sampled controls: `held`, by their clocks, or `continuous`, as laws without clocks.
    # (default: held)
    method: Literal['bdf', 'radau', 'gen-alpha', 'hht', 'newmark', 'dopri5', 'dop853', 'adams', 'rock4', 'rkc2', 'rosenbrock', 'w', 'auto'] | None
    # Time discretisation; `auto` takes the cheapest, by the modes of the model, changes it
    # where a trial shows that another has become cheaper, and says why. (default: auto)
    formulation: Literal['index3', 'ggl', 'index1', 'projected', 'penalty', 'state-space'] | None
    # Which equations are solved. (default: the first that the method lists)
    jacobian: Literal['exact', 'exact-reuse', 'dense', 'grouped', 'partitioned', 'extended', 'auto'] | None
    # Where derivatives come from; `auto` is exact where the model has exact derivatives,
    # exact-reuse without constraints, else extended. (default: auto)
    renewal: Literal['every-step', 'when-slow', 'ledger'] | None
    # When derivatives are renewed. (default: as `jacobian` names it)
    follow: bool | None
    # Whether kept derivatives by differences are moved along the excitations. (default: as
    # `jacobian` names it)
    linear: Literal['sparse', 'dense'] | None
    # Linear solver. (default: sparse)
    max_order: Number | None
    # Highest order of a method whose order varies. (default: the highest of the method)
    rho: Number | None
    # Spectral radius of gen-alpha at infinity, 0 to 1. (default: 0.6)
    alpha: Number | None
    # Damping of hht, 0 to 1/3. (default: 0.3)
    beta: Number | None
    # Weight of the new acceleration in the positions of newmark. (default: 0.25)
    gamma: Number | None
    # Weight of the new acceleration in the velocities of newmark; above 0.5 it damps, and
    # is of order 1. (default: 0.5)
    error_estimate: Literal['plain', 'stiff'] | None
    # Error estimate of rosenbrock and w: `plain`, or `stiff`, damped in stiff directions.
    # (default: plain)
    rtol: Number | None
    # Relative tolerance of a step. With methods of order 2 (gen-alpha, hht, newmark, w,
    # rkc2) a step may use its power 1.5, with bdf, but for index3, its power 1.2: their
    # errors add up to more, and those of the end are in proportion to it then. (default:
    # 1e-6)
    atol: Number | None
    # Absolute tolerance of positions, in m and rad. (default: rtol times the size of the
    # mechanism)
    atol_v: Number | None
    # Absolute tolerance of velocities, in m/s and rad/s. (default: from atol and the speed
    # of the motion)
    atol_of: str | Sequence[str] | None
    # Absolute tolerances of single parts, instead of those two: `rod=1e-9` for the
    # positions of a body (with joint coordinates, of a joint), `rod.velocity=1e-3` for its
    # velocities, `rod.angle=1e-6` or `rod.angular_velocity=1e-2` for one quantity. Later
    # ones win; separated by commas on the command line. (default: none)
    step: Number | None
    # Fixed step; switches error control off. (default: chosen by the tolerances)
    first_step: Number | None
    # First step. (default: from the first accelerations)
    max_step: Number | None
    # Longest step. (default: no bound)
    max_steps: Number | None
    # Attempted steps before the run is given up. (default: no bound)
    outputs: int | Literal["steps"] | Sequence[float] | ArrayLike | None
    # Output intervals of equal length, "steps" for every step and both sides of every jump
    # (steps.csv then tells order, length, error and limiter of all attempts), or a list of
    # times. (default: 200)
    strict: bool | None
    # Whether reactions that are not unique are a doubt about the result, not a note on
    # these channels. (default: no)
    condition: bool | None
    # Whether the condition number of the iteration matrix is told, the worst of a hundred
    # along the run, and what rounding leaves of a correction; for methods that iterate.
    # (default: no)
    checkpoint: str | PathLike[str] | None
    # File that the run is saved to at its end, also when it fails or is interrupted. A
    # model gives a name without directories; the file stands beside the results. (default:
    # none)
    checkpoint_steps: Number | None
    # Accepted steps between two checkpoints. (default: only at the end)
    checkpoint_interval: Number | None
    # Simulated time between two checkpoints. (default: only at the end)
    restart: str | PathLike[str] | None
    # File of a saved run of the same model and options to go on with; the end time and the
    # outputs may differ. The table begins after the saved state. (default: start anew)

class CosimOptions(TypedDict, total=False):
    t_end: Number | None
    # End time.
    rtol: Number | None
    # Relative tolerance of the result: macro steps are so short that their errors add up to
    # a few of it. (default: 1e-4)
    micro: Number | None
    # Tolerance of the subsystems as a share of what a macro step may err by, at most 0.1.
    # (default: 0.1)
    degree: Number | None
    # Degree of the polynomials that inputs follow within a macro step, 0 to 3. (default: 2)
    approach: Literal['extrapolation', 'interpolation'] | None
    # Which of the two runs of a macro step goes on: `extrapolation`, or `interpolation` to
    # predicted values. (default: extrapolation)
    step: Number | None
    # Constant macro step; switches error control off. (default: chosen by the tolerance)
    first_step: Number | None
    # First macro step. (default: a thousandth of the run)
    max_step: Number | None
    # Longest macro step. (default: no bound)
    max_steps: Number | None
    # Attempted macro steps before the run is given up. (default: no bound)
    outputs: int | Literal["steps"] | Sequence[float] | ArrayLike | None
    # Output intervals of equal length, or "steps" for every micro step. (default: 200)
    threads: Number | None
    # Threads; the results do not depend on them. (default: as many as the machine has)
    forward_only: bool | None
    # Never repeat a step, as with parts that cannot go back: half the work, and an error
    # judged by the coupling variables alone. (default: false)
    checkpoint: str | PathLike[str] | None
    # File that the run is saved to at its end, also when it fails or is interrupted. A
    # model gives a name without directories; the file stands beside the results. (default:
    # none)
    checkpoint_steps: Number | None
    # Accepted macro steps between two checkpoints. (default: only at the end)
    checkpoint_interval: Number | None
    # Simulated time between two checkpoints. (default: only at the end)
    restart: str | PathLike[str] | None
    # File of a saved run of the same system and options to go on with; the end time, the
    # outputs and the threads may differ. Tables begin after the saved state. (default:
    # start anew)
