// Renders styled lines as text, with colors only if the terminal shows them. Pure.
import type { Line, Style } from './frame.ts'

const CODES: Record<Style, number> = { bold: 1, dim: 2, red: 31, yellow: 33 }

export const styledText = ({ text, style }: Line, hasColours: boolean): string =>
  style && hasColours ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text

/** Any value except an empty one disables colors (no-color.org). */
export const hasColours = (isTTY: boolean, noColor: string | undefined): boolean =>
  isTTY && (noColor ?? '') === ''
