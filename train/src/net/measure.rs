use super::tests::{SHAPE, config};
use super::*;
use crate::learn::{Learner, PpoConfig, Samples};
use crate::workers::Workers;
use std::time::Instant;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
fn positions(n: usize) -> (Vec<u8>, Vec<f32>, Vec<i8>) {
    let mut planes = vec![0; n * SHAPE.planes()];
    let mut scalars = vec![0.0; n * SHAPE.scalars];
    let mut mask = vec![0; n * SHAPE.actions];
    for row in 0..n {
        for cell in 0..SHAPE.cells() {
            let plane = (row * 7 + cell * 5 + cell * cell) % SHAPE.channels;
            planes[row * SHAPE.planes() + plane * SHAPE.cells() + cell] = 1;
        }
        for index in 0..24 {
            scalars[row * SHAPE.scalars + index] = ((row + index) % 9) as f32 / 8.0;
        }
        for action in (row % 17..SHAPE.actions).step_by(17) {
            mask[row * SHAPE.actions + action] = 1;
        }
    }
    (planes, scalars, mask)
}
fn rate(name: &str, count: usize, secs: f64, mut work: impl FnMut()) {
    work();
    let (c, t, mut k) = (cpu(), Instant::now(), 0);
    while t.elapsed().as_secs_f64() < secs {
        work();
        k += 1;
    }
    let (w, c) = (t.elapsed().as_secs_f64(), cpu() - c);
    let n = (k * count) as f64;
    println!("{name:<44} wall {:>9.0}/s   cpu {:>7.2} us each", n / w, c / n * 1e6);
}
#[test]
fn measure() {
    let Ok(sel) = std::env::var("MEASURE") else { return };
    let secs = 1.0;
    for (arch, w, d) in
        [(Arch::Mlp, 128, 2), (Arch::Mlp, 256, 2), (Arch::Mlp, 512, 2), (Arch::Mlp, 256, 3), (Arch::Residual, 32, 4)]
    {
        let net = Net::new(&config(arch, w, d), SHAPE, 1, &device()).unwrap();
        let (planes, scalars, mask) = positions(1024);
        let b = 128;
        for threads in [1, 2] {
            let workers = Workers::new(threads).unwrap();
            if sel.contains("act") {
                let infer = Infer::new(&net, SHAPE);
                let mut outs = vec![Output::default(); threads];
                rate(&format!("act {arch:?} {w}x{d} threads={threads}"), b * threads, secs, || {
                    workers.map(outs.iter_mut().collect(), |_, out| {
                        infer.run_into(&planes[..b * 640], &scalars[..b * 32], &mask[..b * 353], b, out)
                    });
                });
            }
            if sel.contains("burn") && arch == Arch::Mlp && threads == 1 {
                let infer = Infer::through_burn(&net, SHAPE);
                let mut out = Output::default();
                rate(&format!("act-burn {arch:?} {w}x{d} threads=1"), b, secs, || {
                    workers.map(vec![&mut out], |_, out| {
                        infer.run_into(&planes[..b * 640], &scalars[..b * 32], &mask[..b * 353], b, out)
                    });
                });
            }
            if sel.contains("learn") {
                let logp = Infer::new(&net, SHAPE).run(&planes, &scalars, &mask, 1024).logp;
                let samples = Samples {
                    planes: planes.clone(),
                    scalars: scalars.clone(),
                    mask: mask.clone(),
                    action: (0..1024).map(|r| r % 17).collect(),
                    old_logp: logp,
                    advantage: (0..1024).map(|r| (r % 5) as f32 - 2.0).collect(),
                    target: [0.3, 0.3, 0.4].repeat(1024),
                    policy_weight: vec![1.0; 1024],
                    value_weight: vec![1.0; 1024],
                };
                let order: Vec<u32> = (0..1024).collect();
                for micro in [128, 256] {
                    let cfg = PpoConfig { micro_batch: micro, ..PpoConfig::default() };
                    let mut learner = Learner::new(net.clone(), cfg).unwrap();
                    rate(&format!("learn {arch:?} {w}x{d} micro={micro} threads={threads}"), 1024, secs, || {
                        learner.update(&samples, &order, 1e-4, 0.01, &workers).unwrap();
                    });
                }
            }
        }
    }
}
