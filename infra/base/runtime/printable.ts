// Makes foreign text safe for a terminal: it stays on one line and reads from left to right. Pure.

export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_C}\u200b]/gu, '')
