//! Where the arithmetic of a network is done.
//!
//! Networks act on the CPU, by loops of our own. Learning through burn may go to another device that was compiled in:
//! `--features cuda` or `--features wgpu`. Its sums are not added up in a fixed order, so that runs there are not the same
//! byte for byte.

use burn::tensor::Device;

/// What names can stand for, and what each needs.
const KNOWN: &str = "cpu, cuda or cuda:1 (build with --features cuda), wgpu (build with --features wgpu)";

/// The CPU. burn's own default would prefer whichever accelerator happens to be compiled in.
pub fn device() -> Device {
    Device::flex()
}

/// The device of a name: `cpu`, `cuda`, `cuda:1` or `wgpu`. It is tried out, so that a driver that is missing is found
/// out at once.
///
/// # Errors
/// An unknown name, one that was not compiled in, or a device that does not answer.
pub fn named(name: &str) -> Result<Device, String> {
    let (kind, number) = match name.split_once(':') {
        None => (name, Some(0)),
        Some((kind, number)) => (kind, number.parse::<usize>().ok()),
    };
    match (kind, number) {
        ("cpu", Some(0)) => Ok(device()),
        #[cfg(feature = "cuda")]
        ("cuda", Some(number)) => answers(name, Device::cuda(number)),
        #[cfg(feature = "wgpu")]
        ("wgpu", Some(0)) => answers(name, Device::wgpu(burn::tensor::DeviceKind::DefaultDevice)),
        ("cuda" | "wgpu", Some(_)) => Err(format!("{name}: not in this build; expected {KNOWN}")),
        _ => Err(format!("{name}: unknown device; expected {KNOWN}")),
    }
}

/// Adds two numbers on a device. Drivers that are missing make burn panic, in a thread of its own.
#[cfg(any(test, feature = "cuda", feature = "wgpu"))]
fn answers(name: &str, device: Device) -> Result<Device, String> {
    let one = device.clone();
    let sum = std::thread::spawn(move || {
        let one = burn::Tensor::<1>::ones([1], &one);
        (one.clone() + one).into_data().try_into_vec::<f32>().ok()
    });
    match sum.join() {
        Ok(Some(sum)) if sum == [2.0] => Ok(device),
        Ok(_) => Err(format!("{name}: the device cannot add")),
        Err(_) => Err(format!("{name}: the device does not answer; is its driver installed?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_answers_and_others_are_named() {
        assert!(answers("cpu", named("cpu").unwrap()).is_ok());
        for name in ["gpu", "cpu:1", "cuda:x", ""] {
            let told = named(name).err().unwrap();
            assert!(told.starts_with(&format!("{name}: unknown device; expected cpu, cuda")), "{told}");
        }
        #[cfg(not(any(feature = "cuda", feature = "wgpu")))]
        assert!(named("cuda:1").err().unwrap().starts_with("cuda:1: not in this build"));
    }
}
