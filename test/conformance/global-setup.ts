// The checkers of test/tools are installed once, before the first test that runs one.
import { installCheckers } from '../support/suite/checkers.ts'

export async function setup(): Promise<void> {
  await installCheckers()
}
