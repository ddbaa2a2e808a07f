// A squarified treemap: rectangles with areas in proportion to values, as square as possible.

export type Box = { x: bigint; y: bigint; width: bigint; height: bigint }

type Fraction = { over: bigint; under: bigint }

const larger = (one: Fraction, other: Fraction): Fraction =>
  one.over * other.under >= other.over * one.under ? one : other

const sumValues = (values: readonly bigint[]): bigint =>
  values.reduce((sum, value) => sum + value, 0n)

/** The largest aspect ratio if these values fill one row. The values of the box sum to `total`, its size is `area`. */
const worstRatio = (
  row: readonly bigint[],
  { side, area, total }: { side: bigint; area: bigint; total: bigint },
): Fraction => {
  const sum = sumValues(row)
  const flat = { over: sum * sum * area, under: side * side * (row.at(-1) ?? 1n) * total }
  const thin = { over: side * side * (row[0] ?? 1n) * total, under: sum * sum * area }
  return larger(flat, thin)
}

/** The number of values in the next row: values are added until the aspect ratio gets worse. */
const countRowItems = (values: readonly bigint[], box: Box): number => {
  const isWide = box.width >= box.height
  const bounds = {
    side: isWide ? box.height : box.width,
    area: box.width * box.height,
    total: sumValues(values),
  }
  let length = 1
  let ratio = worstRatio(values.slice(0, 1), bounds)
  while (length < values.length) {
    const next = worstRatio(values.slice(0, length + 1), bounds)
    if (next.over * ratio.under > ratio.over * next.under) break
    ratio = next
    length += 1
  }
  return length
}

/** Slices the box horizontally or vertically, in proportion to the values and without gaps. */
export const sliceBox = (values: readonly bigint[], box: Box, isAcross: boolean): Box[] => {
  const total = sumValues(values)
  let before = 0n
  return values.map((value) => {
    const at = (amount: bigint, length: bigint) => (total === 0n ? 0n : (amount * length) / total)
    const length = isAcross ? box.width : box.height
    const start = at(before, length)
    before += value
    const size = at(before, length) - start
    return isAcross
      ? { ...box, x: box.x + start, width: size }
      : { ...box, y: box.y + start, height: size }
  })
}

/** One box for each value, in order. Values are in descending order and greater than 0. */
export const treemap = (values: readonly bigint[], box: Box): Box[] => {
  const boxes: Box[] = []
  let rest = box
  for (let from = 0; from < values.length; ) {
    const left = values.slice(from)
    const isEmpty = rest.width === 0n || rest.height === 0n
    const row = left.slice(0, isEmpty ? left.length : countRowItems(left, rest))
    const isColumn = rest.width >= rest.height
    const [first, others] = sliceBox(
      [sumValues(row), sumValues(left) - sumValues(row)],
      rest,
      isColumn,
    )
    if (!first || !others) throw new Error('two values returned fewer boxes')
    boxes.push(...sliceBox(row, first, !isColumn))
    rest = others
    from += row.length
  }
  return boxes
}
