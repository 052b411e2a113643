// jl.fft: torch.fft's discrete Fourier transforms over any dimensions and lengths.
export {
  type FftOptions,
  type FftsOptions,
  fft,
  fft2,
  fftn,
  ifft,
  ifft2,
  ifftn,
  type Norm,
  type PlaneOptions,
} from "./complex-transforms.js";
export { type FrequencyOptions, fftfreq, fftshift, ifftshift, rfftfreq } from "./frequencies.js";
export { irfft, irfft2, irfftn, rfft, rfft2, rfftn } from "./real-transforms.js";
