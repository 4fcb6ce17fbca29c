//! Loops over registers of whatever width the processor has, for acting and learning without a general library.
//!
//! Every number is one chain of fused multiply-adds in a fixed order, so that the width of the registers changes nothing.
//! Nothing here stands inside a closure: closures are compiled for the oldest processor, and each multiply-add would
//! become a call. Innermost loops count, for adapters of iterators may become calls as well.
#![allow(clippy::needless_range_loop)]

use pulp::Simd;

/// Registers that are computed together, by columns: at most eight lanes each.
const PAIR: usize = 2;
/// Columns of [`multiply`], and the length of the vectors of [`dot`] and [`add_scaled`], must be multiples of this.
pub(super) const STEP: usize = 16;

/// The first `N` registers of a slice.
#[inline(always)]
pub(super) fn load<S: Simd, const N: usize>(from: &[f32]) -> [S::f32s; N] {
    let (registers, _) = S::as_simd_f32s(&from[..N * S::F32_LANES]);
    *registers.first_chunk().expect("as many lanes as asked for")
}

#[inline(always)]
pub(super) fn store<S: Simd, const N: usize>(registers: [S::f32s; N], to: &mut [f32]) {
    let (to, _) = S::as_mut_simd_f32s(&mut to[..N * S::F32_LANES]);
    to.copy_from_slice(&registers);
}

/// ReLU. Unlike `f32::max` it lets a NaN through, so that broken weights show.
#[inline(always)]
pub(super) fn positive(value: f32) -> f32 {
    if value < 0.0 { 0.0 } else { value }
}

/// The left factors of some rows of a product.
trait Left<const R: usize> {
    /// Those of step `k`, one a row.
    fn at(&self, k: usize) -> [f32; R];
}

/// Rows that lie behind one another.
struct Rows<'a, const R: usize>([&'a [f32]; R]);

impl<const R: usize> Left<R> for Rows<'_, R> {
    #[inline(always)]
    fn at(&self, k: usize) -> [f32; R] {
        let mut at = [0.0; R];
        for r in 0..R {
            at[r] = self.0[r][k];
        }
        at
    }
}

/// Columns of a matrix of `stride` columns, from one on.
struct Columns<'a> {
    from: &'a [f32],
    stride: usize,
}

impl<const R: usize> Left<R> for Columns<'_> {
    #[inline(always)]
    fn at(&self, k: usize) -> [f32; R] {
        *self.from[k * self.stride..].first_chunk().expect("the matrix has so many columns")
    }
}

/// `out += x w`
///
/// # Shapes
/// `x [n, depth]`, `w [depth, cols]`, `out [n, cols]`
#[inline(always)]
pub(super) fn multiply<S: Simd>(simd: S, x: &[f32], w: &[f32], depth: usize, out: &mut [f32]) {
    let cols = w.len() / depth;
    let mut rows = 0;
    while rows < out.len() / cols {
        let (x, out) = (&x[rows * depth..], &mut out[rows * cols..]);
        match out.len() / cols {
            6.. => rows += tiles::<S, 6, _>(simd, &Rows(behind(x, depth)), w, cols, out),
            3.. => rows += tiles::<S, 3, _>(simd, &Rows(behind(x, depth)), w, cols, out),
            _ => rows += tiles::<S, 1, _>(simd, &Rows(behind(x, depth)), w, cols, out),
        }
    }
}

/// `out += x^T w`: the slopes of a layer's weights from those of its results.
///
/// # Shapes
/// `x [depth, n]`, `w [depth, cols]`, `out [n, cols]`
#[inline(always)]
pub(super) fn multiply_transposed<S: Simd>(simd: S, x: &[f32], w: &[f32], cols: usize, out: &mut [f32]) {
    let stride = out.len() / cols;
    if w.is_empty() {
        return;
    }
    let mut rows = 0;
    while rows < stride {
        let (left, out) = (Columns { from: &x[rows..], stride }, &mut out[rows * cols..]);
        match out.len() / cols {
            6.. => rows += tiles::<S, 6, _>(simd, &left, w, cols, out),
            3.. => rows += tiles::<S, 3, _>(simd, &left, w, cols, out),
            _ => rows += tiles::<S, 1, _>(simd, &left, w, cols, out),
        }
    }
}

#[inline(always)]
fn behind<const R: usize>(x: &[f32], depth: usize) -> [&[f32]; R] {
    let mut rows = [x; R];
    for (r, row) in rows.iter_mut().enumerate() {
        *row = &x[r * depth..][..depth];
    }
    rows
}

/// The first `R` rows of a product.
#[inline(always)]
fn tiles<S: Simd, const R: usize, L: Left<R>>(simd: S, left: &L, w: &[f32], cols: usize, out: &mut [f32]) -> usize {
    let mut at = 0;
    while at < cols {
        let mut sums = [[simd.splat_f32s(0.0); PAIR]; R];
        for (r, sums) in sums.iter_mut().enumerate() {
            *sums = load::<S, PAIR>(&out[r * cols + at..]);
        }
        for (k, w) in w.chunks_exact(cols).enumerate() {
            let w = load::<S, PAIR>(&w[at..]);
            let x = left.at(k);
            for r in 0..R {
                let x = simd.splat_f32s(x[r]);
                for i in 0..PAIR {
                    sums[r][i] = simd.mul_add_f32s(x, w[i], sums[r][i]);
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            store::<S, PAIR>(sums, &mut out[r * cols + at..]);
        }
        at += PAIR * S::F32_LANES;
    }
    R
}

/// `to += factor * from`
#[inline(always)]
pub(super) fn add_scaled<S: Simd>(simd: S, factor: f32, from: &[f32], to: &mut [f32]) {
    let factor = simd.splat_f32s(factor);
    let step = PAIR * S::F32_LANES;
    let (from, to) = (&from[..to.len()], to);
    let mut at = 0;
    while at < from.len() {
        let (more, mut sums) = (load::<S, PAIR>(&from[at..]), load::<S, PAIR>(&to[at..]));
        for i in 0..PAIR {
            sums[i] = simd.mul_add_f32s(factor, more[i], sums[i]);
        }
        store::<S, PAIR>(sums, &mut to[at..]);
        at += step;
    }
}

/// `to += factor * row` for every row.
#[inline(always)]
pub(super) fn add_rows<S: Simd>(simd: S, factor: f32, rows: &[f32], to: &mut [f32]) {
    for row in rows.chunks_exact(to.len()) {
        add_scaled(simd, factor, row, to);
    }
}

/// `rows += from`, the same for every row.
#[inline(always)]
pub(super) fn add_to_rows<S: Simd>(simd: S, from: &[f32], rows: &mut [f32]) {
    for row in rows.chunks_exact_mut(from.len()) {
        add_scaled(simd, 1.0, from, row);
    }
}

/// ReLU of all.
#[inline(always)]
pub(super) fn threshold(values: &mut [f32]) {
    for value in values {
        *value = positive(*value);
    }
}

/// A column of a matrix times a vector, by and by.
#[inline(always)]
pub(super) fn column(x: &[f32], w: &[f32], column: usize, cols: usize, mut sum: f32) -> f32 {
    for (x, w) in x.iter().zip(w.chunks_exact(cols)) {
        sum = x.mul_add(w[column], sum);
    }
    sum
}

/// The inner product of two slices, always with [`STEP`] sums.
#[inline(always)]
pub(super) fn dot<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let mut partial = [0.0; STEP];
    let step = PAIR * S::F32_LANES;
    for (part, partial) in partial.chunks_exact_mut(step).enumerate() {
        let mut sums = [simd.splat_f32s(0.0); PAIR];
        let mut at = part * step;
        while at < a.len() {
            let (a, b) = (load::<S, PAIR>(&a[at..]), load::<S, PAIR>(&b[at..]));
            for i in 0..PAIR {
                sums[i] = simd.mul_add_f32s(a[i], b[i], sums[i]);
            }
            at += STEP;
        }
        store::<S, PAIR>(sums, partial);
    }
    halved(&mut partial)
}

/// The sum of a power of two of numbers, half to half, so that its last bits do not depend on the registers.
#[inline(always)]
pub(super) fn halved(partial: &mut [f32]) -> f32 {
    let mut half = partial.len() / 2;
    while half > 0 {
        for at in 0..half {
            partial[at] += partial[at + half];
        }
        half /= 2;
    }
    partial[0]
}
