// The script that the build makes for the pages: tests run the sources, which read it too.
import { bundleVerifier } from '../../../infra/bundle-verifier.mjs'

export const setup = bundleVerifier
