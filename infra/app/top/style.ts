// Lines with their styles → text, with colours only where they are shown. Pure.
import type { Line, Style } from './frame.ts'

const CODES: Record<Style, number> = { bold: 1, dim: 2, red: 31, yellow: 33 }

export const styledText = ({ text, style }: Line, hasColours: boolean): string =>
  style && hasColours ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text

/** Any value but an empty one asks for no colours (no-color.org). */
export const hasColours = (isTTY: boolean, noColor: string | undefined): boolean =>
  isTTY && (noColor ?? '') === ''
