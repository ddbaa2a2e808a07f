// Runs the signing command of the claim page, like a human on the machine with the key.
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

export const createPhrase = async (prefix: string) => {
  const wallet = await Secp256k1HdWallet.generate(12, { prefix })
  const [account] = await wallet.getAccounts()
  return { mnemonic: wallet.mnemonic, address: account?.address ?? '' }
}

const INSTALL = /^npm install (@cosmjs\/amino)@\S+$/m

/** Returns the output. It uses the packages of this repository. */
export const runExample = (example: string, { text = '', mnemonic = '' }): string => {
  if (!INSTALL.test(example)) throw new Error(`the example installs something else: ${example}`)
  const directory = createTemporaryDirectory('signing')
  try {
    const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
    symlinkSync(packages, `${directory.path}/node_modules`)
    // Editors save a file with a final line break.
    writeFileSync(`${directory.path}/claim.txt`, `${text}\n`)
    const { stdout, stderr, status } = spawnSync('sh', ['-c', example.replace(INSTALL, '')], {
      cwd: directory.path,
      env: { PATH: process.env['PATH'], MNEMONIC: mnemonic },
      encoding: 'utf8',
      timeout: 30_000,
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
  } finally {
    directory.remove()
  }
}
