// Parses timestamps as ClickHouse prints them: UTC, without a zone.

/** `2026-11-21 08:00:00.123456789` → milliseconds since the epoch; NaN if invalid. */
export const timestampToMs = (timestamp: string): number =>
  Date.parse(`${timestamp.slice(0, 23).replace(' ', 'T')}Z`)

/** `2026-11-21 08:00:00.123456789` → `2026-11-21T08:00:00.123456789Z`. */
export const timestampToRfc3339 = (timestamp: string): string => `${timestamp.replace(' ', 'T')}Z`
