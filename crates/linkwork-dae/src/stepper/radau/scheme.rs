//! Coefficients of the Radau IIA methods with 3, 5 and 7 stages (Hairer & Wanner 1996, IV.5 and IV.8).
//!
//! ```text
//!  y'_i = (1/h) sum_j w_ij (y_j - y_n)          w = A^-1, the derivatives of the polynomial at its nodes
//!  w = P diag(lam) P^-1                         one real eigenvalue and pairs of complex ones
//!  e = h y'_n / lam_0 + sum_i e_i (y_i - y_n)   embedded error estimate
//! ```
//!
//! Nodes, eigenvalues, eigenvectors (with last entry 1), rows of `P^-1` and error weights were
//! computed with 60 digits; `w` follows from the nodes.

use crate::dense::Matrix;
use crate::eigen::Complex;

/// Most stages.
pub(super) const MOST: usize = 7;

/// A matrix over stages.
pub(super) type OverStages = [[f64; MOST]; MOST];

/// Units of rows and unknowns are powers of the step from 0 to this one.
const POWERS: usize = 3;

type Pair = (f64, f64);

struct Table {
    nodes: &'static [f64],
    eigenvalues: &'static [Pair],
    vectors: &'static [&'static [Pair]],
    inverse: &'static [&'static [Pair]],
    error: &'static [f64],
}

static TABLES: [Table; 3] = [
    Table {
        nodes: &[0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0],
        eigenvalues: &[
            (3.637_834_252_744_496, 0.0),
            (2.681_082_873_627_752_3, 3.050_430_199_247_410_5),
        ],
        vectors: &[
            &[
                (0.094_438_762_488_975_24, 0.0),
                (0.250_213_122_965_333_3, 0.0),
                (1.0, 0.0),
            ],
            &[
                (-0.141_255_295_020_954_2, 0.030_029_194_105_147_424),
                (0.204_129_352_293_799_94, -0.382_942_112_757_261_9),
                (1.0, 0.0),
            ],
        ],
        inverse: &[
            &[
                (4.178_718_591_551_905, 0.0),
                (0.327_682_820_761_062_37, 0.0),
                (0.523_376_445_499_449_5, 0.0),
            ],
            &[
                (-2.089_359_295_775_952_6, -0.251_436_317_472_893_4),
                (-0.163_841_410_380_531_18, 1.285_963_474_927_802_6),
                (0.238_311_777_250_275_22, -0.298_019_602_414_112_46),
            ],
        ],
        error: &[
            -2.762_305_454_748_599_2,
            0.379_935_598_252_728_9,
            -0.091_629_609_865_225_8,
        ],
    },
    Table {
        nodes: &[
            0.057_104_196_114_517_68,
            0.276_843_013_638_123_8,
            0.583_590_432_368_916_8,
            0.860_240_135_656_219_5,
            1.0,
        ],
        eigenvalues: &[
            (6.286_704_751_729_276_5, 0.0),
            (5.700_953_298_671_79, 3.210_265_600_308_549_7),
            (3.655_694_325_463_572, 6.543_736_899_360_077),
        ],
        vectors: &[
            &[
                (0.013_576_867_344_947_943, 0.0),
                (0.001_617_900_401_719_087_5, 0.0),
                (0.079_157_853_347_447_21, 0.0),
                (0.412_256_082_680_461_43, 0.0),
                (1.0, 0.0),
            ],
            &[
                (-0.011_478_515_255_229_515, 0.014_019_858_892_875_41),
                (-0.007_668_830_749_180_163, -0.024_708_578_426_518_527),
                (0.019_398_463_998_828_95, -0.081_800_353_703_751_17),
                (0.407_601_171_280_199_07, -0.199_682_427_886_802_52),
                (1.0, 0.0),
            ],
            &[
                (-0.010_242_047_817_908_826, -0.047_673_877_290_295_72),
                (0.050_172_864_517_371_06, 0.094_331_819_181_611_43),
                (-0.230_539_534_043_417_95, -0.102_703_045_380_125_9),
                (0.377_893_902_248_861_27, -0.466_744_130_332_494_34),
                (1.0, 0.0),
            ],
        ],
        inverse: &[
            &[
                (27.697_693_775_684_087, 0.0),
                (12.783_337_911_304_406, 0.0),
                (3.208_489_386_713_43, 0.0),
                (-0.951_490_412_248_916_2, 0.0),
                (0.741_550_496_025_989_7, 0.0),
            ],
            &[
                (-16.520_940_106_759_5, -4.305_721_989_937_646),
                (-8.688_476_739_531_783, 4.849_995_704_764_404),
                (-0.086_064_531_627_002_78, 0.957_364_319_848_437_2),
                (-0.049_584_888_991_271_32, 1.209_346_003_042_47),
                (0.265_614_057_919_153_3, -0.523_731_743_967_668_8),
            ],
            &[
                (2.672_093_218_917_456, 1.874_029_903_719_902_4),
                (2.296_807_783_879_580_6, -1.992_482_868_171_942_4),
                (-1.518_180_161_729_712_2, -0.522_207_820_804_009_4),
                (0.525_330_095_115_729_5, 0.592_049_284_068_974_3),
                (-0.136_389_305_932_148_12, -0.224_958_885_078_390_18),
            ],
        ],
        error: &[
            -4.418_997_716_796_381,
            0.579_234_852_256_67,
            -0.199_237_560_953_468,
            0.094_167_483_691_945_48,
            -0.031_813_168_885_493_83,
        ],
    },
    Table {
        nodes: &[
            0.029_316_427_159_784_893,
            0.148_078_599_668_484_3,
            0.336_984_690_281_154_3,
            0.558_671_518_771_550_1,
            0.769_233_862_030_054_5,
            0.926_945_671_319_741_1,
            1.0,
        ],
        eigenvalues: &[
            (8.936_832_788_405_216, 0.0),
            (8.511_834_825_102_946, 3.281_013_624_325_059),
            (7.141_055_219_187_64, 6.623_045_922_639_276),
            (4.378_693_561_506_806, 10.169_693_283_795_011),
        ],
        vectors: &[
            &[
                (0.002_443_584_304_870_611_3, 0.0),
                (-0.001_815_339_648_319_317, 0.0),
                (0.004_605_339_331_161_875, 0.0),
                (0.017_870_023_342_853_068, 0.0),
                (0.128_181_008_077_283_91, 0.0),
                (0.520_065_149_748_824_7, 0.0),
                (1.0, 0.0),
            ],
            &[
                (-0.001_238_646_187_952_874_1, 0.002_760_617_480_543_852_5),
                (-6.666_635_339_396_339e-05, -0.003_185_474_825_166_21),
                (-0.002_352_180_982_943_338_4, -0.000_416_907_772_529_756_26),
                (0.003_115_071_152_346_175_2, -0.025_116_604_913_438_822),
                (0.101_717_732_481_715_15, -0.095_045_020_356_046_23),
                (0.521_751_945_274_765_3, -0.128_071_944_635_543_9),
                (1.0, 0.0),
            ],
            &[
                (-0.004_055_161_452_331_024, -0.004_427_232_753_268_285),
                (0.008_415_568_276_559_59, 0.004_031_949_570_224_55),
                (-0.008_560_431_061_603_433, 0.006_923_212_665_023_909),
                (-0.037_371_242_302_384_46, -0.008_239_007_298_507_72),
                (0.005_366_761_379_181_770_5, -0.193_211_116_101_262_01),
                (0.526_574_226_458_449_3, -0.275_534_394_989_625_84),
                (1.0, 0.0),
            ],
            &[
                (0.021_567_551_351_320_772, -0.008_783_567_925_144_144),
                (-0.038_131_648_134_411_55, 0.021_525_560_594_006_874),
                (0.057_396_508_939_381_72, -0.058_850_529_208_426_79),
                (-0.038_214_693_596_968_35, 0.165_736_811_272_943_85),
                (-0.249_174_212_465_263_7, -0.273_563_305_798_662_34),
                (0.531_584_649_083_628_5, -0.486_322_836_617_572_9),
                (1.0, 0.0),
            ],
        ],
        inverse: &[
            &[
                (227.515_305_962_680_69, 0.0),
                (166.648_022_467_609_74, 0.0),
                (43.265_145_884_526_21, 0.0),
                (3.623_090_061_341_016, 0.0),
                (3.572_674_832_938_798, 0.0),
                (-2.743_556_365_603_367_5, 0.0),
                (1.451_453_540_254_750_4, 0.0),
            ],
            &[
                (-149.593_124_014_126_06, -46.538_251_448_717_65),
                (-121.520_372_684_372_39, 11.940_815_528_140_572),
                (-24.388_552_039_018_936, 19.639_440_365_406_923),
                (-1.019_335_952_870_967_1, 7.194_457_842_745_54),
                (0.836_780_119_930_542_5, -1.755_219_199_699_680_7),
                (-0.543_687_016_028_553_1, 2.431_642_442_783_090_3),
                (0.450_969_124_648_049_67, -1.123_241_364_795_619_9),
            ],
            &[
                (37.339_166_117_511_35, 29.178_264_425_953_287),
                (43.704_294_489_950_406, -5.034_386_978_900_09),
                (2.012_079_368_689_999, -15.183_194_421_283_336),
                (-1.857_403_157_579_182, -0.510_010_432_592_433),
                (-1.715_046_992_991_158_7, -0.056_208_750_189_212_48),
                (1.348_302_404_882_656_2, 0.945_320_415_500_188_9),
                (-0.469_346_371_803_773_1, -0.485_824_319_691_574_14),
            ],
            &[
                (-1.503_695_084_725_646, -4.220_981_594_160_542),
                (-5.507_933_039_382_886, -0.325_262_637_028_757_5),
                (0.743_899_728_065_828_2, 3.470_335_365_184_938_2),
                (1.065_194_079_779_641_3, -1.602_523_762_798_949_3),
                (-0.908_070_543_408_782_8, 0.535_640_471_773_239_3),
                (0.567_162_793_947_580_5, -0.177_425_374_560_811_1),
                (-0.207_349_522_971_651_77, 0.045_992_745_663_932_77),
            ],
        ],
        error: &[
            -6.084_307_291_132_809,
            0.783_277_943_092_000_6,
            -0.263_590_149_638_228_4,
            0.126_699_144_195_154_18,
            -0.072_384_852_898_517_4,
            0.043_363_616_009_258_24,
            -0.015_985_209_328_576_44,
        ],
    },
];

/// How stages are mixed before and after the linear systems: by the power of `s` in the unit of a row,
/// and of an unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixing {
    pub rows: [OverStages; POWERS],
    pub unknowns: [OverStages; POWERS],
    /// Whether those of power 0 leave each stage by itself.
    pub apart: bool,
}

/// A method of the family.
#[derive(Clone, Debug)]
pub(super) struct Scheme {
    pub stages: usize,
    pub nodes: &'static [f64],
    /// `A^-1`.
    pub w: OverStages,
    pub error: &'static [f64],
    /// Real eigenvalue of `w`.
    pub real: f64,
    /// Complex ones with a positive imaginary part.
    pub complex: [Complex; MOST / 2],
    /// Stages to eigenvectors, real and imaginary parts one after the other, and back.
    pub full: Mixing,
    /// Each stage by itself, for one matrix without `s`.
    pub inertial: Mixing,
    /// Lagrange's polynomials on the nodes, and on 0 and the nodes.
    through_nodes: Lagrange<MOST>,
    through_all: Lagrange<{ MOST + 1 }>,
    /// Weights of the values at 0 and at the nodes in the integral over the step.
    pub over_step: [f64; MOST + 1],
}

/// Lagrange's polynomials, each 1 at one node and 0 at the others.
#[derive(Clone, Debug)]
struct Lagrange<const N: usize> {
    nodes: [f64; N],
    /// `1 / prod (c_j - c_k)`.
    scale: [f64; N],
    count: usize,
}

impl<const N: usize> Lagrange<N> {
    fn new(given: impl Iterator<Item = f64>) -> Lagrange<N> {
        let (mut nodes, mut scale, mut count) = ([0.0; N], [0.0; N], 0);
        for (to, c) in nodes.iter_mut().zip(given) {
            *to = c;
            count += 1;
        }
        for j in 0..count {
            let others = (0..count).filter(|k| *k != j);
            let product: f64 = others.map(|k| nodes[j] - nodes[k]).product();
            scale[j] = 1.0 / product;
        }
        Lagrange {
            nodes,
            scale,
            count,
        }
    }

    fn at(&self, theta: f64) -> [f64; N] {
        let mut weights = [0.0; N];
        let mut before = 1.0;
        for j in 0..self.count {
            weights[j] = before * self.scale[j];
            before *= theta - self.nodes[j];
        }
        let mut behind = 1.0;
        for j in (0..self.count).rev() {
            weights[j] *= behind;
            behind *= theta - self.nodes[j];
        }
        weights
    }
}

impl Scheme {
    /// All of them, by the number of stages.
    pub fn all() -> Vec<Scheme> {
        TABLES.iter().map(Scheme::new).collect()
    }

    fn new(table: &'static Table) -> Scheme {
        let n = table.nodes.len();
        let w = derivatives(table.nodes);
        let mut complex = [Complex::ZERO; MOST / 2];
        for (z, x) in complex.iter_mut().zip(&table.eigenvalues[1..]) {
            *z = Complex::new(x.0, x.1);
        }
        let nodes = table.nodes.iter().copied();
        let mut scheme = Scheme {
            stages: n,
            nodes: table.nodes,
            w,
            error: table.error,
            real: table.eigenvalues[0].0,
            complex,
            full: by_eigenvectors(table),
            inertial: by_stages(&w, n),
            through_nodes: Lagrange::new(nodes.clone()),
            through_all: Lagrange::new(std::iter::once(0.0).chain(nodes)),
            over_step: [0.0; MOST + 1],
        };
        scheme.over_step = scheme.integral(1.0);
        scheme
    }

    /// Order of the method.
    pub fn order(&self) -> usize {
        2 * self.stages - 1
    }

    /// Weights of the stages in an integral over the step: the last row of `A`.
    pub fn weights(&self) -> &[f64] {
        &self.inertial.rows[1][self.stages - 1][..self.stages]
    }

    /// Weights of the values at 0 and at the nodes in the polynomial through them, at `theta`.
    pub fn through_all(&self, theta: f64) -> [f64; MOST + 1] {
        self.through_all.at(theta)
    }

    /// Weights of the values at 0 and at the nodes in the integral from 0 to `theta` of the polynomial through them.
    pub fn integral(&self, theta: f64) -> [f64; MOST + 1] {
        let mut weights = [0.0; MOST + 1];
        self.quadrature(theta, |x, weight| {
            let values = self.through_all(x);
            for (sum, w) in weights.iter_mut().zip(values) {
                *sum += weight * w;
            }
        });
        weights
    }

    /// The polynomial of degree `s + 1` that vanishes at 0 and whose slope is 1 there and 0 at the nodes, and its integral from
    /// 0, at `theta`.
    pub fn departure(&self, theta: f64) -> [f64; 2] {
        let slope = |x: f64| self.nodes.iter().map(|c| 1.0 - x / c).product::<f64>();
        let (mut once, mut twice) = (0.0, 0.0);
        self.quadrature(theta, |x, weight| {
            once += weight * slope(x);
            twice += weight * (theta - x) * slope(x);
        });
        [once, twice]
    }

    /// Visits places and weights of a rule for integrals from 0 to `theta`: the nodes, which integrate degree `2s - 2`.
    fn quadrature(&self, theta: f64, mut visit: impl FnMut(f64, f64)) {
        for (c, b) in self.nodes.iter().zip(self.weights()) {
            visit(theta * c, theta * b);
        }
    }

    /// Weights of the values at the nodes in the polynomial through them, at `theta`.
    pub fn through_nodes(&self, theta: f64) -> [f64; MOST] {
        self.through_nodes.at(theta)
    }
}

/// Derivatives at the nodes of the polynomials that are 1 at one node, 0 at the others and at 0.
fn derivatives(c: &[f64]) -> OverStages {
    let mut w = OverStages::default();
    let node = |j: usize| if j == 0 { 0.0 } else { c[j - 1] };
    let all = 0..=c.len();
    for i in 1..=c.len() {
        for j in 1..=c.len() {
            w[i - 1][j - 1] = if i == j {
                let others = all.clone().filter(|k| *k != j);
                others.map(|k| 1.0 / (node(j) - node(k))).sum()
            } else {
                let others = all.clone().filter(|k| *k != i && *k != j);
                let product: f64 = others
                    .map(|k| (node(i) - node(k)) / (node(j) - node(k)))
                    .product();
                product / (node(j) - node(i))
            };
        }
    }
    w
}

fn by_eigenvectors(table: &Table) -> Mixing {
    let mut mixing = Mixing::default();
    let of = |x: &Pair| Complex::new(x.0, x.1);
    for (k, lam) in table.eigenvalues.iter().map(of).enumerate() {
        let mut power = Complex::ONE;
        for p in 0..POWERS {
            for i in 0..table.nodes.len() {
                let row = of(&table.inverse[k][i]) / power;
                let vector = of(&table.vectors[k][i]) * power;
                let (rows, unknowns) = (&mut mixing.rows[p], &mut mixing.unknowns[p]);
                if k == 0 {
                    (rows[0][i], unknowns[i][0]) = (row.re, vector.re);
                } else {
                    // 2 Re(p d) for the pair of conjugates
                    (rows[2 * k - 1][i], rows[2 * k][i]) = (row.re, row.im);
                    unknowns[i][2 * k - 1] = 2.0 * vector.re;
                    unknowns[i][2 * k] = -2.0 * vector.im;
                }
            }
            power = power * lam;
        }
    }
    mixing
}

/// Rows by powers of `A`, unknowns by powers of `w`.
fn by_stages(w: &OverStages, n: usize) -> Mixing {
    let w = Matrix::new(n, n, |i, j| w[i][j]);
    // never singular: the nodes differ
    let a = w.solve(&Matrix::unit(n), 0.0).unwrap_or_default();
    let mut mixing = Mixing {
        apart: true,
        ..Mixing::default()
    };
    let (mut rows, mut unknowns) = (Matrix::unit(n), Matrix::unit(n));
    for p in 0..POWERS {
        for i in 0..n {
            for j in 0..n {
                mixing.rows[p][i][j] = rows[(i, j)];
                mixing.unknowns[p][i][j] = unknowns[(i, j)];
            }
        }
        rows = rows.times(&a);
        unknowns = unknowns.times(&w);
    }
    mixing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, bound: f64) {
        assert!((a - b).abs() <= bound * b.abs().max(1.0), "{a} {b}");
    }

    /// Quadrature of order 2s - 1, derivatives exact up to degree s.
    #[test]
    fn the_conditions_of_order_hold() {
        for s in Scheme::all() {
            let last = s.weights();
            for k in 1..=2 * s.stages - 1 {
                let powers = s
                    .nodes
                    .iter()
                    .zip(last)
                    .map(|(c, b)| b * c.powi(k as i32 - 1));
                close(powers.sum(), 1.0 / k as f64, 1e-13);
            }
            for (i, c) in s.nodes.iter().enumerate() {
                for k in 1..=s.stages as i32 {
                    let sum: f64 = (0..s.stages).map(|j| s.w[i][j] * s.nodes[j].powi(k)).sum();
                    close(sum, f64::from(k) * c.powi(k - 1), 1e-12);
                }
            }
        }
    }

    /// `w = P diag(lam) P^-1`, in the form in which stages are mixed.
    #[test]
    fn eigenvectors_reproduce_the_derivatives() {
        for s in Scheme::all() {
            let n = s.stages;
            for (i, row) in s.w.iter().enumerate().take(n) {
                for (j, w) in row.iter().enumerate().take(n) {
                    // the unknowns of power 1 times the rows of power 0
                    let product: f64 = (0..n)
                        .map(|k| s.full.unknowns[1][i][k] * s.full.rows[0][k][j])
                        .sum();
                    close(product, *w, 1e-11);
                    let back: f64 = (0..n)
                        .map(|k| s.full.unknowns[2][i][k] * s.full.rows[2][k][j])
                        .sum();
                    close(back, f64::from(u8::from(i == j)), 1e-11);
                }
            }
        }
    }

    /// The estimate vanishes for polynomials up to degree s.
    #[test]
    fn the_error_estimate_is_of_order_s_plus_one() {
        for s in Scheme::all() {
            let estimate = |k: i32| {
                let slope = if k == 1 { 1.0 } else { 0.0 };
                let sum: f64 = s
                    .nodes
                    .iter()
                    .zip(s.error)
                    .map(|(c, e)| e * c.powi(k))
                    .sum();
                slope / s.real + sum
            };
            for k in 1..=s.stages as i32 {
                close(estimate(k), 0.0, 1e-13);
            }
            // and not for the next, far above rounding
            assert!(estimate(s.stages as i32 + 1).abs() > 1e-9);
        }
    }
}
