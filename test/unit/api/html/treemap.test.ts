// The treemap of the power map: areas in proportion, without gaps or overlap.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Box, treemap } from '../../../../api/html/treemap.ts'

const WHOLE: Box = { x: 0n, y: 0n, width: 200_000n, height: 100_000n }
const computeArea = ({ width, height }: Box): bigint => width * height

const largestFirst = fc
  .array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 60 })
  .map((values) => values.toSorted((one, other) => (one < other ? 1 : Number(one > other) * -1)))

it('treemap gives each value one box, and the boxes fill the whole without overlap', () => {
  fc.assert(
    fc.property(largestFirst, (values) => {
      const boxes = treemap(values, WHOLE)
      expect(boxes).toHaveLength(values.length)
      expect(boxes.reduce((sum, box) => sum + computeArea(box), 0n)).toBe(computeArea(WHOLE))
      for (const { x, y, width, height } of boxes) {
        expect(x >= 0n && y >= 0n && x + width <= 200_000n && y + height <= 100_000n).toBe(true)
      }
    }),
  )
})

it('treemap gives areas in proportion to the values, except for rounding', () => {
  const values = [6n, 6n, 4n, 3n, 2n, 2n, 1n].map((value) => value * 10n ** 18n)
  const areas = treemap(values, WHOLE).map(computeArea)
  const shares = areas.map((area) => Number((area * 24_000n) / computeArea(WHOLE)) / 1_000)
  for (const [n, share] of shares.entries()) {
    expect(share).toBeCloseTo(Number((values[n] ?? 0n) / 10n ** 18n), 1)
  }
})

it('treemap gives boxes that are closer to squares than slices', () => {
  const boxes = treemap(Array(24).fill(1n), WHOLE)
  for (const { width, height } of boxes) {
    const [long, short] = width > height ? [width, height] : [height, width]
    expect(Number(long) / Number(short)).toBeLessThan(2.5)
  }
})
