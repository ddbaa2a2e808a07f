// Foreign text in a line for a terminal: whatever it holds, a line stays a line and reads from left to right. Pure.

export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_C}\u200b]/gu, '')
