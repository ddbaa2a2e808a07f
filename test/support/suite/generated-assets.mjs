// The scripts that the build makes for the pages: tests run the sources, which read them too.
import { generateAssets } from '../../../infra/generated-assets.mjs'

export const setup = generateAssets
