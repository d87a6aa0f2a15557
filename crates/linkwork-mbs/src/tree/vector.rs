//! Vectors, rotations and symmetric matrices of space, as plain numbers in place.

use linkwork_dae::rotation::{Quaternion, normalise};

/// A vector of space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    /// The third axis.
    pub const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

    /// A vector from its components.
    #[inline]
    pub const fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline]
    pub fn cross(self, o: Vec3) -> Vec3 {
        Vec3::new(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )
    }

    /// Length.
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The components.
    #[inline]
    pub fn array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// The first three numbers of a slice; 0 where it is shorter.
    #[inline]
    pub fn read(s: &[f64]) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|i| s.get(i).copied().unwrap_or(0.0));
        Vec3 { x, y, z }
    }
}

impl From<[f64; 3]> for Vec3 {
    fn from([x, y, z]: [f64; 3]) -> Vec3 {
        Vec3 { x, y, z }
    }
}

/// Sums, differences and multiples, component by component.
macro_rules! linear {
    ($kind:ident { $($part:ident),+ }) => {
        impl std::ops::Add for $kind {
            type Output = $kind;
            #[inline]
            fn add(self, o: $kind) -> $kind {
                $kind { $($part: self.$part + o.$part),+ }
            }
        }
        impl std::ops::Sub for $kind {
            type Output = $kind;
            #[inline]
            fn sub(self, o: $kind) -> $kind {
                $kind { $($part: self.$part - o.$part),+ }
            }
        }
        impl std::ops::Mul<f64> for $kind {
            type Output = $kind;
            #[inline]
            fn mul(self, k: f64) -> $kind {
                $kind { $($part: self.$part * k),+ }
            }
        }
        impl std::ops::AddAssign for $kind {
            #[inline]
            fn add_assign(&mut self, o: $kind) {
                *self = *self + o;
            }
        }
    };
}
pub(in crate::tree) use linear;

linear!(Vec3 { x, y, z });
linear!(Mat3 { x, y, z });
linear!(Sym3 {
    xx,
    yy,
    zz,
    xy,
    xz,
    yz
});

impl std::ops::Neg for Vec3 {
    type Output = Vec3;
    #[inline]
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

impl std::ops::SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, o: Vec3) {
        *self = *self - o;
    }
}

/// A 3 x 3 matrix by columns; a rotation where it says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mat3 {
    /// First column.
    pub x: Vec3,
    /// Second column.
    pub y: Vec3,
    /// Third column.
    pub z: Vec3,
}

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3 {
        x: Vec3::new(1.0, 0.0, 0.0),
        y: Vec3::new(0.0, 1.0, 0.0),
        z: Vec3::Z,
    };

    /// `[u]x`, the matrix of the vector product with `u` from the left.
    #[inline]
    pub fn skew(u: Vec3) -> Mat3 {
        Mat3 {
            x: Vec3::new(0.0, u.z, -u.y),
            y: Vec3::new(-u.z, 0.0, u.x),
            z: Vec3::new(u.y, -u.x, 0.0),
        }
    }

    /// `[u]x A`.
    #[inline]
    pub fn crossed_by(&self, u: Vec3) -> Mat3 {
        Mat3 {
            x: u.cross(self.x),
            y: u.cross(self.y),
            z: u.cross(self.z),
        }
    }

    /// `A u`.
    #[inline]
    pub fn apply(&self, u: Vec3) -> Vec3 {
        self.x * u.x + self.y * u.y + self.z * u.z
    }

    /// `A' u`.
    #[inline]
    pub fn apply_transposed(&self, u: Vec3) -> Vec3 {
        Vec3::new(self.x.dot(u), self.y.dot(u), self.z.dot(u))
    }

    /// `A B`.
    #[inline]
    pub fn times(&self, b: &Mat3) -> Mat3 {
        Mat3 {
            x: self.apply(b.x),
            y: self.apply(b.y),
            z: self.apply(b.z),
        }
    }

    /// The transpose.
    #[inline]
    pub fn transposed(&self) -> Mat3 {
        Mat3 {
            x: Vec3::new(self.x.x, self.y.x, self.z.x),
            y: Vec3::new(self.x.y, self.y.y, self.z.y),
            z: Vec3::new(self.x.z, self.y.z, self.z.z),
        }
    }

    /// A rotation followed by one about its own third axis, from sine and cosine of the angle.
    #[inline]
    pub fn turned_about_z(&self, s: f64, c: f64) -> Mat3 {
        Mat3 {
            x: self.x * c + self.y * s,
            y: self.y * c - self.x * s,
            z: self.z,
        }
    }

    /// A rotation followed by one about its own first axis.
    #[inline]
    pub fn turned_about_x(&self, s: f64, c: f64) -> Mat3 {
        Mat3 {
            x: self.x,
            y: self.y * c + self.z * s,
            z: self.z * c - self.y * s,
        }
    }

    /// The rotation with the given rotation vector (Rodrigues).
    pub fn exp(psi: Vec3) -> Mat3 {
        let t2 = psi.dot(psi);
        let (a, b) = if t2 < 1e-6 {
            // sin t / t and (1 - cos t) / t^2; the next terms are below 1e-20
            (
                1.0 - t2 / 6.0 * (1.0 - t2 / 20.0),
                0.5 - t2 / 24.0 * (1.0 - t2 / 30.0),
            )
        } else {
            let t = t2.sqrt();
            let half = (0.5 * t).sin();
            (t.sin() / t, 2.0 * half * half / t2)
        };
        let column = |e: Vec3| {
            let pe = psi.cross(e);
            e + pe * a + psi.cross(pe) * b
        };
        Mat3 {
            x: column(Mat3::IDENTITY.x),
            y: column(Mat3::IDENTITY.y),
            z: column(Mat3::IDENTITY.z),
        }
    }

    /// The rotation of a unit quaternion, scalar first.
    pub fn of_quaternion(q: Quaternion) -> Mat3 {
        let [x, y, z] = linkwork_dae::rotation::matrix(q).map(Vec3::from);
        Mat3 { x, y, z }.transposed()
    }

    /// The unit quaternion of a rotation, from its largest component (Shepperd 1978).
    pub fn quaternion(&self) -> Quaternion {
        let (a, b, c) = (self.x.x, self.y.y, self.z.z);
        // four times the squares of the components
        let squares = [
            1.0 + a + b + c,
            1.0 + a - b - c,
            1.0 - a + b - c,
            1.0 - a - b + c,
        ];
        let antisymmetric = [
            self.y.z - self.z.y,
            self.z.x - self.x.z,
            self.x.y - self.y.x,
        ];
        let symmetric = [
            self.x.y + self.y.x,
            self.x.z + self.z.x,
            self.y.z + self.z.y,
        ];
        let mut k = 0;
        for i in 1..4 {
            if squares[i] > squares[k] {
                k = i;
            }
        }
        let [u, v, w] = antisymmetric;
        let [xy, xz, yz] = symmetric;
        let q = match k {
            0 => [squares[0], u, v, w],
            1 => [u, squares[1], xy, xz],
            2 => [v, xy, squares[2], yz],
            _ => [w, xz, yz, squares[3]],
        };
        normalise(q)
    }

    /// A rotation whose third axis points along `axis`; the identity where that is already so, or
    /// where the vector has no direction.
    pub fn with_z_along(axis: Vec3) -> Mat3 {
        let n = axis.norm();
        if !(n > 0.0) || !n.is_finite() {
            return Mat3::IDENTITY;
        }
        let z = axis * (1.0 / n);
        if (z - Vec3::Z).norm() == 0.0 {
            return Mat3::IDENTITY;
        }
        let aside = if z.x.abs() < 0.7 {
            Mat3::IDENTITY.x
        } else {
            Mat3::IDENTITY.y
        };
        let y = z.cross(aside);
        let y = y * (1.0 / y.norm());
        Mat3 {
            x: y.cross(z),
            y,
            z,
        }
    }
}

/// A symmetric 3 x 3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// Entry (1, 1).
    pub xx: f64,
    /// Entry (2, 2).
    pub yy: f64,
    /// Entry (3, 3).
    pub zz: f64,
    /// Entry (1, 2).
    pub xy: f64,
    /// Entry (1, 3).
    pub xz: f64,
    /// Entry (2, 3).
    pub yz: f64,
}

impl Sym3 {
    /// `k` times the identity.
    #[inline]
    pub const fn scalar(k: f64) -> Sym3 {
        Sym3 {
            xx: k,
            yy: k,
            zz: k,
            xy: 0.0,
            xz: 0.0,
            yz: 0.0,
        }
    }

    /// `S u`.
    #[inline]
    pub fn apply(&self, u: Vec3) -> Vec3 {
        Vec3::new(
            self.xx * u.x + self.xy * u.y + self.xz * u.z,
            self.xy * u.x + self.yy * u.y + self.yz * u.z,
            self.xz * u.x + self.yz * u.y + self.zz * u.z,
        )
    }

    /// `u u'`.
    #[inline]
    pub fn square(u: Vec3) -> Sym3 {
        Sym3::upper(u, u)
    }

    /// The upper half of `u w'`, where that is symmetric.
    #[inline]
    pub fn upper(u: Vec3, w: Vec3) -> Sym3 {
        Sym3 {
            xx: u.x * w.x,
            yy: u.y * w.y,
            zz: u.z * w.z,
            xy: u.x * w.y,
            xz: u.x * w.z,
            yz: u.y * w.z,
        }
    }

    /// `u w' + w u'`.
    #[inline]
    pub fn product(u: Vec3, w: Vec3) -> Sym3 {
        Sym3 {
            xx: 2.0 * (u.x * w.x),
            yy: 2.0 * (u.y * w.y),
            zz: 2.0 * (u.z * w.z),
            xy: u.x * w.y + u.y * w.x,
            xz: u.x * w.z + u.z * w.x,
            yz: u.y * w.z + u.z * w.y,
        }
    }

    /// `A + A'`.
    #[inline]
    pub fn twice_symmetric_part(a: &Mat3) -> Sym3 {
        Sym3 {
            xx: 2.0 * a.x.x,
            yy: 2.0 * a.y.y,
            zz: 2.0 * a.z.z,
            xy: a.y.x + a.x.y,
            xz: a.z.x + a.x.z,
            yz: a.z.y + a.y.z,
        }
    }

    /// `R S R'`.
    #[inline]
    pub fn turned(&self, r: &Mat3) -> Sym3 {
        // columns of R S, then the six entries needed of (R S) R'
        let s = self.matrix();
        let b = r.times(&s);
        let entry = |i: fn(Vec3) -> f64, j: fn(Vec3) -> f64| {
            i(b.x) * j(r.x) + i(b.y) * j(r.y) + i(b.z) * j(r.z)
        };
        Sym3 {
            xx: entry(|u| u.x, |u| u.x),
            yy: entry(|u| u.y, |u| u.y),
            zz: entry(|u| u.z, |u| u.z),
            xy: entry(|u| u.x, |u| u.y),
            xz: entry(|u| u.x, |u| u.z),
            yz: entry(|u| u.y, |u| u.z),
        }
    }

    /// As a full matrix.
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        Mat3 {
            x: Vec3::new(self.xx, self.xy, self.xz),
            y: Vec3::new(self.xy, self.yy, self.yz),
            z: Vec3::new(self.xz, self.yz, self.zz),
        }
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> f64 {
        self.xx + self.yy + self.zz
    }
}
