// Free loopback ports below 32768: the kernel uses the range above, so binds there sometimes fail.
import { findFreePort, LOOPBACK } from '../../infra/base/runtime/ports.ts'

export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) found.add(await findFreePort(LOOPBACK))
  return [...found]
}
