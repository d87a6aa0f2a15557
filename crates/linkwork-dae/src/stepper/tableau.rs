//! Embedded explicit Runge-Kutta pairs.
//!
//! ```text
//!  c | A          Y_i = y + h sum_j a_ij k_j,   k_i = f(t + c_i h, Y_i)
//!  --+----        y_1 = y + h sum_i b_i k_i,    k_{s+1} = f(t + h, y_1)
//!    | b          error = h sum_i e_i k_i,      i = 1 .. s+1
//! ```

/// An embedded pair.
#[derive(Debug)]
pub struct Tableau {
    /// Order.
    pub order: usize,
    /// The error estimate is of order `h^(estimate + 1)`.
    pub estimate: usize,
    /// Nodes; the last one is 1.
    pub c: &'static [f64],
    /// Rows of the lower triangle, from the second stage on.
    pub a: &'static [&'static [f64]],
    /// Weights.
    pub b: &'static [f64],
    /// Weights of the error estimate, on the stages and on the end of the step.
    pub error: &'static [f64],
    /// Weights of a second, coarser estimate; empty without one.
    pub coarse: &'static [f64],
    /// `h |lambda|` from which on stability rules the step. Where accuracy rules it, the largest
    /// rate that its stages show stays below 1.2 per step; at the limit of stability it is 1.5 and
    /// more for lightly damped vibrations, 3.3 (order 5) or 6 (order 8) for real eigenvalues.
    pub stability: f64,
    /// Points of the dense output.
    pub dense: usize,
    /// Dense output of its own.
    pub extension: Option<&'static Extension>,
}

impl Tableau {
    /// The largest gap between two nodes.
    pub fn largest_gap(&self) -> f64 {
        largest_gap(self.c)
    }
}

/// The largest gap between nodes of a step, which end at 1.
pub(super) fn largest_gap(nodes: &[f64]) -> f64 {
    let next = |a: f64| {
        nodes
            .iter()
            .filter(|b| **b > a)
            .fold(1.0, |m: f64, b| m.min(*b))
    };
    nodes.iter().fold(0.0, |m: f64, a| m.max(next(*a) - a))
}

/// Dense output from further stages, `theta = (t - t_0)/h` (Hairer, Nørsett & Wanner 1993, II.6):
///
/// ```text
///  y(t) = y_0 + theta (F_0 + (1 - theta) (F_1 + theta (F_2 + (1 - theta) (F_3 + ...))))
///  F_0 = y_1 - y_0,  F_1 = h k_1 - F_0,  F_2 = 2 F_0 - h (k_{s+1} + k_1),  F_{3+i} = h sum_j d_ij k_j
/// ```
#[derive(Debug)]
pub struct Extension {
    /// Nodes of the further stages.
    pub c: &'static [f64],
    /// Their rows, over all stages before them and the end of the step.
    pub a: &'static [&'static [f64]],
    /// Weights `d`.
    pub d: &'static [&'static [f64]],
}

/// Order 5 with an estimate of order 4 (Dormand & Prince 1980; Hairer, Nørsett & Wanner 1993,
/// table II.5.2).
pub static DOPRI5: Tableau = Tableau {
    order: 5,
    estimate: 4,
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    a: &[
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
    ],
    b: &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
    error: &[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339_200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ],
    coarse: &[],
    stability: 1.5,
    dense: 3,
    extension: Some(&DOPRI5_EXTENSION),
};

/// Order 4 without further stages (Hairer, Nørsett & Wanner 1993, II.6, the code DOPRI5): where a step has no past.
static DOPRI5_EXTENSION: Extension = Extension {
    c: &[],
    a: &[],
    d: &[&[
        -12_715_105_075.0 / 11_282_082_432.0,
        0.0,
        87_487_479_700.0 / 32_700_410_799.0,
        -10_690_763_975.0 / 1_880_347_072.0,
        701_980_252_875.0 / 199_316_789_632.0,
        -1_453_857_185.0 / 822_651_844.0,
        69_997_945.0 / 29_380_423.0,
    ]],
};

/// Order 8 with estimates of orders 5 and 3 (Hairer, Nørsett & Wanner 1993, II.5 and II.10): the
/// tableau of their code DOP853, rounded to double precision. The two estimates are combined to
/// one of order `h^8`.
pub static DOP853: Tableau = Tableau {
    order: 8,
    estimate: 7,
    c: &[
        0.0,
        0.052_600_151_958_767_73,
        0.078_900_227_938_151_6,
        0.118_350_341_907_227_4,
        0.281_649_658_092_772_6,
        0.333_333_333_333_333_3,
        0.25,
        0.307_692_307_692_307_7,
        0.651_282_051_282_051_3,
        0.6,
        0.857_142_857_142_857_1,
        1.0,
    ],
    a: &[
        &[0.052_600_151_958_767_73],
        &[0.019_725_056_984_537_9, 0.059_175_170_953_613_7],
        &[0.029_587_585_476_806_85, 0.0, 0.088_762_756_430_420_54],
        &[
            0.241_365_134_159_266_7,
            0.0,
            -0.884_549_479_328_286_1,
            0.924_834_003_261_792,
        ],
        &[
            0.037_037_037_037_037_035,
            0.0,
            0.0,
            0.170_828_608_729_473_86,
            0.125_467_687_566_822_42,
        ],
        &[
            0.037_109_375,
            0.0,
            0.0,
            0.170_252_211_019_544_05,
            0.060_216_538_980_455_96,
            -0.017_578_125,
        ],
        &[
            0.037_092_000_118_504_79,
            0.0,
            0.0,
            0.170_383_925_712_239_98,
            0.107_262_030_446_373_28,
            -0.015_319_437_748_624_402,
            0.008_273_789_163_814_023,
        ],
        &[
            0.624_110_958_716_075_7,
            0.0,
            0.0,
            -3.360_892_629_446_941_4,
            -0.868_219_346_841_726,
            27.592_099_699_446_71,
            20.154_067_550_477_894,
            -43.489_884_181_069_96,
        ],
        &[
            0.477_662_536_438_264_34,
            0.0,
            0.0,
            -2.488_114_619_971_667_7,
            -0.590_290_826_836_843,
            21.230_051_448_181_193,
            15.279_233_632_882_423,
            -33.288_210_968_984_86,
            -0.020_331_201_708_508_627,
        ],
        &[
            -0.937_142_430_085_987_3,
            0.0,
            0.0,
            5.186_372_428_844_064,
            1.091_437_348_996_729_5,
            -8.149_787_010_746_927,
            -18.520_065_659_996_96,
            22.739_487_099_350_505,
            2.493_605_552_679_652_3,
            -3.046_764_471_898_219_6,
        ],
        &[
            2.273_310_147_516_538,
            0.0,
            0.0,
            -10.534_495_466_737_25,
            -2.000_872_058_224_862_5,
            -17.958_931_863_118_8,
            27.948_884_529_419_96,
            -2.858_998_277_135_023_5,
            -8.872_856_933_530_63,
            12.360_567_175_794_303,
            0.643_392_746_015_763_6,
        ],
    ],
    b: &[
        0.054_293_734_116_568_765,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450_312_892_752_409,
        1.891_517_899_314_500_3,
        -5.801_203_960_010_585,
        0.311_164_366_957_819_9,
        -0.152_160_949_662_516_1,
        0.201_365_400_804_030_34,
        0.044_710_615_727_772_59,
    ],
    error: &[
        0.013_120_044_994_194_88,
        0.0,
        0.0,
        0.0,
        0.0,
        -1.225_156_446_376_204_4,
        -0.495_758_949_657_250_2,
        1.664_377_182_454_986_4,
        -0.350_328_848_749_973_66,
        0.334_179_118_713_017_5,
        0.081_923_206_485_115_71,
        -0.022_355_307_863_886_294,
    ],
    coarse: &[
        -0.189_800_754_072_407_62,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450_312_892_752_409,
        1.891_517_899_314_500_3,
        -5.801_203_960_010_585,
        -0.422_682_321_323_791_9,
        -0.152_160_949_662_516_1,
        0.201_365_400_804_030_34,
        0.022_651_792_198_360_82,
    ],
    stability: 2.0,
    dense: 4,
    extension: Some(&DOP853_EXTENSION),
};

/// Order 7 from three further stages: the dense output of the same code.
static DOP853_EXTENSION: Extension = Extension {
    c: &[0.1, 0.2, 0.777_777_777_777_777_8],
    a: &[
        &[
            0.056_167_502_283_047_954,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.253_500_210_216_624_83,
            -0.246_239_037_470_802_5,
            -0.124_191_423_263_816_37,
            0.153_291_798_278_765_68,
            0.008_201_052_295_634_69,
            0.007_567_897_660_545_699,
            -0.008_298,
        ],
        &[
            0.031_834_648_163_502_14,
            0.0,
            0.0,
            0.0,
            0.0,
            0.028_300_909_672_366_776,
            0.053_541_988_307_438_566,
            -0.054_923_748_571_390_99,
            0.0,
            0.0,
            -0.000_108_347_328_697_249_32,
            0.000_382_571_090_835_658_4,
            -0.000_340_465_008_687_404_56,
            0.141_312_443_674_632_5,
        ],
        &[
            -0.428_896_301_583_791_94,
            0.0,
            0.0,
            0.0,
            0.0,
            -4.697_621_415_361_164,
            7.683_421_196_062_599,
            4.068_989_818_397_11,
            0.356_727_187_455_281_1,
            0.0,
            0.0,
            0.0,
            -0.001_399_024_165_159_014_5,
            2.947_514_789_152_772_4,
            -9.150_958_472_179_87,
        ],
    ],
    d: &[
        &[
            -8.428_938_276_109_013,
            0.0,
            0.0,
            0.0,
            0.0,
            0.566_714_953_519_377_7,
            -3.068_949_945_949_891_7,
            2.384_667_656_512_07,
            2.117_034_582_445_028,
            -0.871_391_583_777_973,
            2.240_437_430_260_788_3,
            0.631_578_778_769_468_8,
            -0.088_990_336_451_333_31,
            18.148_505_520_854_727,
            -9.194_632_392_478_356,
            -4.436_036_387_594_894,
        ],
        &[
            10.427_508_642_579_134,
            0.0,
            0.0,
            0.0,
            0.0,
            242.283_491_775_258_17,
            165.200_451_717_270_28,
            -374.546_754_722_690_2,
            -22.113_666_853_125_306,
            7.733_432_668_472_264,
            -30.674_084_731_089_398,
            -9.332_130_526_430_229,
            15.697_238_121_770_845,
            -31.139_403_219_565_178,
            -9.352_924_358_844_48,
            35.816_841_486_394_08,
        ],
        &[
            19.985_053_242_002_433,
            0.0,
            0.0,
            0.0,
            0.0,
            -387.037_308_749_351_8,
            -189.178_138_195_167_58,
            527.808_159_205_423_6,
            -11.573_902_539_959_63,
            6.881_232_694_696_3,
            -1.000_605_096_691_083_8,
            0.777_713_779_805_344_3,
            -2.778_205_752_353_508,
            -60.196_695_231_264_12,
            84.320_405_506_677_16,
            11.992_291_136_182_79,
        ],
        &[
            -25.693_933_462_703_75,
            0.0,
            0.0,
            0.0,
            0.0,
            -154.189_748_690_236_43,
            -231.529_379_176_045_5,
            357.639_117_910_614_1,
            93.405_324_183_624_32,
            -37.458_323_136_451_63,
            104.099_649_508_962_3,
            29.840_293_426_660_5,
            -43.533_456_590_011_14,
            96.324_553_959_188_28,
            -39.177_261_675_615_44,
            -149.726_836_257_985_64,
        ],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn full(t: &Tableau) -> Vec<Vec<f64>> {
        let s = t.b.len();
        let mut a = vec![vec![0.0; s]; s];
        for (i, row) in t.a.iter().enumerate() {
            a[i + 1][..row.len()].copy_from_slice(row);
        }
        a
    }

    fn dot(b: &[f64], x: &[f64]) -> f64 {
        b.iter().zip(x).map(|(b, x)| b * x).sum()
    }

    fn times(a: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        a.iter().map(|row| dot(row, x)).collect()
    }

    fn product(x: &[f64], y: &[f64]) -> Vec<f64> {
        x.iter().zip(y).map(|(x, y)| x * y).collect()
    }

    /// A rooted tree by its branches; the density and the weights of Butcher's theory.
    #[derive(Clone)]
    struct Tree(Vec<Tree>);

    impl Tree {
        fn nodes(&self) -> usize {
            1 + self.0.iter().map(Tree::nodes).sum::<usize>()
        }
        fn density(&self) -> f64 {
            self.nodes() as f64 * self.0.iter().map(Tree::density).product::<f64>()
        }
        fn weights(&self, a: &[Vec<f64>]) -> Vec<f64> {
            let one = vec![1.0; a.len()];
            self.0
                .iter()
                .fold(one, |w, branch| product(&w, &times(a, &branch.weights(a))))
        }
    }

    /// Every rooted tree with `n` nodes: multisets of branches in the order of a list.
    fn trees(n: usize) -> Vec<Tree> {
        fn forests(all: &[Vec<Tree>], nodes: usize, from: (usize, usize)) -> Vec<Vec<Tree>> {
            if nodes == 0 {
                return vec![Vec::new()];
            }
            let mut out = Vec::new();
            for size in from.0..=nodes {
                let first = if size == from.0 { from.1 } else { 0 };
                for (i, tree) in all[size].iter().enumerate().skip(first) {
                    for mut rest in forests(all, nodes - size, (size, i)) {
                        rest.push(tree.clone());
                        out.push(rest);
                    }
                }
            }
            out
        }
        let mut all = vec![Vec::new()];
        for m in 1..=n {
            let level = forests(&all, m - 1, (1, 0)).into_iter().map(Tree).collect();
            all.push(level);
        }
        all.swap_remove(n)
    }

    /// Largest violation of the order conditions with up to `order` nodes.
    fn violation(a: &[Vec<f64>], b: &[f64], order: usize) -> f64 {
        (1..=order)
            .flat_map(trees)
            .map(|tree| (dot(b, &tree.weights(a)) - 1.0 / tree.density()).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn trees_are_counted_as_by_cayley() {
        let counts: Vec<usize> = (1..=9).map(|n| trees(n).len()).collect();
        assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115, 286]);
    }

    /// The weights of order 8 are up to 6, their products up to 1e3: rounding leaves 1e-13.
    #[test]
    fn pairs_satisfy_every_order_condition_and_no_more() {
        for t in [&DOPRI5, &DOP853] {
            let a = full(t);
            for (row, c) in a.iter().zip(t.c) {
                assert!(
                    (row.iter().sum::<f64>() - c).abs() < 4e-14,
                    "row sum at {c}"
                );
            }
            let exact = violation(&a, t.b, t.order);
            assert!(exact < 2e-13, "order {}: {exact:.1e}", t.order);
            let next = violation(&a, t.b, t.order + 1);
            assert!(next > 1e-7, "order {} has more: {next:.1e}", t.order);
        }
    }

    /// The embedded results `b - error` have the orders of their estimates.
    #[test]
    fn estimates_have_their_orders() {
        // the end of the step as a further stage
        let mut a = full(&DOPRI5);
        a.push(DOPRI5.b.to_vec());
        for row in &mut a {
            row.resize(7, 0.0);
        }
        let mut b = DOPRI5.b.to_vec();
        b.push(0.0);
        for (b, e) in b.iter_mut().zip(DOPRI5.error) {
            *b -= e;
        }
        assert!(violation(&a, &b, 4) < 1e-15 && violation(&a, &b, 5) > 1e-6);
        let a = full(&DOP853);
        for (e, order) in [(DOP853.error, 5), (DOP853.coarse, 3)] {
            let b: Vec<f64> = DOP853.b.iter().zip(e).map(|(b, e)| b - e).collect();
            assert!(violation(&a, &b, order) < 1e-13, "order {order}");
            assert!(violation(&a, &b, order + 1) > 1e-6, "order {order}");
        }
    }
}
