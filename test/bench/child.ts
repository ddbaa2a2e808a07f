// The benchmark's handle of a child process: sends one order at a time and ends the process with its scope.
import { startChild } from '../support/process/child.ts'
import type { Scope } from './scope.ts'

export type BenchChild = {
  /** Throws the error of the child's order. */
  ask<Answer>(order: string, parameters?: object): Promise<Answer>
  stop(): Promise<void>
}

const STOP_MS = 5_000

/** `name` is a file of `children/` without its extension. */
export const startBenchChild = (scope: Scope, name: string): BenchChild => {
  const child = startChild(new URL(`./children/${name}.ts`, import.meta.url), [], {
    // The supervisor starts its children with the same flags.
    execArgv: ['--max-semi-space-size=32'],
  })
  let lastId = 0
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      child.process.stdin?.end()
      const timer = setTimeout(() => child.process.kill('SIGKILL'), STOP_MS)
      await child.exited
      clearTimeout(timer)
    })()
    return stopping
  }
  scope.onEnd(stop)
  child.process.stdin?.on('error', () => {})
  return {
    ask: async <Answer>(order: string, parameters: object = {}) => {
      const id = ++lastId
      child.process.stdin?.write(`${JSON.stringify({ id, order, parameters })}\n`)
      const answer = await child.line((line) => line['id'] === id)
      if (answer['error'] !== undefined) throw new Error(`${name} ${order}: ${answer['error']}`)
      return answer['result'] as Answer
    },
    stop,
  }
}
