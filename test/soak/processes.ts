// Memory of each process of a running machine, and which of them are there to be killed.
import { readFileSync } from 'node:fs'

export type MachineProcess = { pid: number; role: string; residentMebibytes: number }

const readProc = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // It has ended since.
    return ''
  }
}

const roleOf = (pid: number): string => {
  const args = readProc(pid, 'cmdline').split('\0')
  if (args.some((arg) => arg.endsWith('engine-process.js'))) return 'engine'
  const cli = args.findIndex((arg) => arg.endsWith('cli.js'))
  const named = args.find((arg) => arg === 'writer' || arg === 'reader')
  return named ?? (cli >= 0 ? 'supervisor' : 'other')
}

export const readProcesses = (pids: readonly number[]): MachineProcess[] =>
  pids.map((pid) => {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? '0'
    return { pid, role: roleOf(pid), residentMebibytes: Math.round(Number(kibibytes) / 1024) }
  })
