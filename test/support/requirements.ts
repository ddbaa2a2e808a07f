// What some suites need of the machine beyond Node, and how a machine is seen to lack it.
import { spawnSync } from 'node:child_process'

export type Requirement = 'go' | 'cc'

const OLDEST_GO_MINOR = 21

const answerOf = (command: string, args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 })
  return status === 0 ? stdout.trim() : undefined
}

const lackOfGo = (): string | undefined => {
  const version = answerOf('go', ['env', 'GOVERSION'])
  if (version === undefined) return 'no `go` on the PATH: a real chain node is built with it'
  const minor = Number(/^go1\.(\d+)/.exec(version)?.[1])
  return minor >= OLDEST_GO_MINOR ? undefined : `${version} is older than go1.${OLDEST_GO_MINOR}`
}

const lackOfCompiler = (): string | undefined =>
  answerOf('cc', ['--version']) === undefined && answerOf('gcc', ['--version']) === undefined
    ? 'no C compiler on the PATH: the chain node links a C library'
    : undefined

/** Why the machine cannot, in words; undefined where it can. */
export const lackOf = (requirement: Requirement): string | undefined =>
  requirement === 'go' ? lackOfGo() : lackOfCompiler()
