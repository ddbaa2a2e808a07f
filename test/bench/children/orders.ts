// Runs in a child process: executes orders from standard input, answers each with a line, and ends with the input.
import { createInterface } from 'node:readline'

type Order = { id: number; order: string; parameters: unknown }
// biome-ignore lint/suspicious/noExplicitAny: each order has its own parameters
export type Handlers = Record<string, (parameters: any) => unknown>

const answer = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const follow = async ({ id, order, parameters }: Order, handlers: Handlers): Promise<void> => {
  try {
    const handler = handlers[order]
    if (!handler) throw new Error('no such order')
    answer({ id, result: (await handler(parameters)) ?? null })
  } catch (error) {
    answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

const builtIn: Handlers = {
  /** CPU time of this process since its start. */
  cpuMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

/** `close` is called once, at the end of the measurement. */
export const takeOrders = (handlers: Handlers, close: () => unknown = () => {}): void => {
  const all = { ...builtIn, ...handlers }
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => void follow(JSON.parse(line) as Order, all))
  input.on('close', () => {
    void (async () => {
      await close()
      process.exit(0)
    })()
  })
}
