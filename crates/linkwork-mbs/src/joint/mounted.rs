//! What joints and forces have that sit on both bodies with a field of them: a fixture, a disc, a span.

/// Equations of a joint in words.
macro_rules! told {
    ($rows:expr) => {
        fn row_names(&self) -> &'static [&'static str] {
            $rows
        }
    };
    ($rows:expr, $velocity_rows:expr) => {
        told!($rows);
        fn velocity_row_names(&self) -> &'static [&'static str] {
            $velocity_rows
        }
    };
}
pub(super) use told;

/// Attachment points and placing, or the points alone.
macro_rules! sits_on {
    ($mount:ident) => {
        sits_on!(points of $mount);
        fn place(&mut self, a: &$crate::geometry::Site, b: &$crate::geometry::Site) {
            self.$mount.place(a, b);
        }
    };
    (points of $mount:ident) => {
        fn markers(&self) -> [Option<$crate::geometry::Vector>; 2] {
            [Some(self.$mount.a.point), Some(self.$mount.b.point)]
        }
    };
}
pub(crate) use sits_on;

/// What a force has that holds a wheel of one body at a point, on the ground.
macro_rules! stands {
    () => {
        fn markers(&self) -> [Option<Vector>; 2] {
            [None, Some(self.point.point)]
        }
        fn is_external(&self) -> bool {
            true
        }
        fn stands_on_ground(&self) -> bool {
            true
        }
        fn extent(&self) -> f64 {
            self.radius
        }
    };
}
pub(crate) use stands;

/// What a force has whose free length or angle, a field of it, may be that of the start.
macro_rules! rests {
    ($free:ident) => {
        fn rests_at_start(&self) -> bool {
            self.$free.is_none()
        }
        fn rested(&self, sites: &[Site]) -> Option<std::sync::Arc<dyn Force>> {
            let mut rested = Self {
                $free: None,
                ..self.clone()
            };
            let [a, b, ..] = sites else { return None };
            rested.place(a, b);
            rested.place_further(sites);
            Some(std::sync::Arc::new(rested))
        }
    };
}
pub(crate) use rests;

/// What a force has that pulls two points together, with a free length.
macro_rules! stretches {
    () => {
        fn needs_orientation(&self) -> [bool; 2] {
            [false, false]
        }
        fn markers(&self) -> [Option<Vector>; 2] {
            self.ends().map(Some)
        }
        fn extent(&self) -> f64 {
            self.free_length.unwrap_or(0.0)
        }
        $crate::joint::mounted::rests!(free_length);
    };
}
pub(crate) use stretches;
