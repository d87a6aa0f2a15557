//! Lists of graph nodes by degree.

use super::buffers::{refill, reserve};

pub(crate) const NONE: u32 = u32::MAX;

/// Doubly linked lists of nodes by degree; the most recently touched comes first, which keeps an
/// elimination local.
#[derive(Clone, Debug, Default)]
pub(crate) struct DegreeBuckets {
    head: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// No node has a smaller degree.
    least: usize,
}

impl DegreeBuckets {
    pub fn reserve(&mut self, nodes: usize, degrees: usize) {
        reserve(&mut self.head, degrees);
        reserve(&mut self.next, nodes);
        reserve(&mut self.previous, nodes);
    }

    /// Empty lists for nodes `0..nodes` with degrees below `degrees`.
    pub fn reset(&mut self, nodes: usize, degrees: usize) {
        refill(&mut self.head, degrees, NONE);
        refill(&mut self.next, nodes, NONE);
        refill(&mut self.previous, nodes, NONE);
        self.least = 0;
    }

    pub fn insert(&mut self, i: u32, degree: u32) {
        let head = &mut self.head[degree as usize];
        self.next[i as usize] = *head;
        self.previous[i as usize] = NONE;
        if *head != NONE {
            self.previous[*head as usize] = i;
        }
        *head = i;
        self.least = self.least.min(degree as usize);
    }

    pub fn remove(&mut self, i: u32, degree: u32) {
        let (previous, next) = (self.previous[i as usize], self.next[i as usize]);
        match previous {
            NONE => self.head[degree as usize] = next,
            _ => self.next[previous as usize] = next,
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    /// The least degree at which there is a node.
    fn advance(&mut self) -> Option<usize> {
        let ahead = self.head[self.least..].iter().position(|&i| i != NONE);
        self.least = ahead.map_or(self.head.len(), |ahead| self.least + ahead);
        ahead.map(|_| self.least)
    }

    /// Removes a node of least degree.
    pub fn pop(&mut self) -> Option<u32> {
        let degree = self.advance()?;
        let i = self.head[degree];
        self.remove(i, degree as u32);
        Some(i)
    }

    /// A node of least degree, with its degree.
    pub fn first(&mut self) -> Option<(u32, usize)> {
        let degree = self.advance()?;
        Some((self.head[degree], degree))
    }

    /// The node after one of the given degree, in ascending degree, with its degree.
    pub fn after(&self, i: u32, degree: usize) -> Option<(u32, usize)> {
        match self.next[i as usize] {
            NONE => {
                let ahead = self.head[degree + 1..].iter().position(|&i| i != NONE)?;
                let degree = degree + 1 + ahead;
                Some((self.head[degree], degree))
            }
            next => Some((next, degree)),
        }
    }
}
