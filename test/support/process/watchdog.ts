// Kills a process once this one is gone, even by SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process'

/** Its standard input ends with this process. In a group of its own, Ctrl-C does not reach it. */
export const createWatchdog = (pid: number): ChildProcess => {
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null'
  const watchdog = spawn('sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  return watchdog
}
