// The projects of the tests, each with the recorder of what its files run. They extend these settings.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import config from '../vitest.config.ts'

const setupFiles = [fileURLToPath(new URL('covered.ts', import.meta.url))]
const { test = {} } = config as { test?: object }

export default defineConfig({ ...config, test: { ...test, setupFiles } })
