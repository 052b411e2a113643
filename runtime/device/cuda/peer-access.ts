// Access of one GPU to the memory of another over their link, such as NVLink. The driver copies without it too, but through
// the host's memory.
import { check, type Driver, type Out, status } from "./driver.js";

/** A GPU as the driver knows it: its CUdevice and its context. */
export interface Peer {
  readonly device: number;
  readonly context: number;
}

/** True if the driver can map the memory of one GPU into another. */
export function canAccess(cuda: Driver, device: number, peer: number): boolean {
  const can: Out = [0];
  check("cuDeviceCanAccessPeer", cuda.cuDeviceCanAccessPeer(can, device, peer));
  return can[0] !== 0;
}

/** Lets the current context, of `device`, reach a peer's memory. Without a link copies stay as they are. */
export function enableAccess(cuda: Driver, device: number, peer: Peer): void {
  if (!canAccess(cuda, device, peer.device)) return;
  const result = cuda.cuCtxEnablePeerAccess(peer.context, 0);
  if (result !== status.peerAccessAlreadyEnabled) check("cuCtxEnablePeerAccess", result);
}
