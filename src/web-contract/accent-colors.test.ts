import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accentColors, contrast, CONTRAST_MIN } from './accent-colors.ts';

test('the contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#ffffff', '#ffffff'), 1);
  assert.equal(contrast('#767676', '#ffffff'), 4.54);
});

test('every colour becomes readable in both themes, and keeps its hue', () => {
  const parts = ['00', '33', '80', 'cc', 'ff'];
  for (const r of parts) {
    for (const g of parts) {
      for (const b of parts) {
        const asked = `#${r}${g}${b}`;
        for (const [theme, page] of [
          ['light', '#ffffff'],
          ['dark', '#171d21'],
        ] as const) {
          const { accent, strong, soft, onAccent, ratio } = accentColors(asked)[theme];
          for (const color of [accent, strong, soft, onAccent])
            assert.match(color, /^#[0-9a-f]{6}$/);
          assert.ok(ratio >= CONTRAST_MIN, `${asked} ${theme} ${ratio}`);
          assert.ok(contrast(accent, page) >= CONTRAST_MIN);
          assert.ok(contrast(accent, onAccent) >= CONTRAST_MIN);
          assert.ok(contrast(accent, soft) >= CONTRAST_MIN);
        }
      }
    }
  }
});

test('a colour that can be read already stays as it is', () => {
  const { light, dark } = accentColors('#0b6b53');
  assert.deepEqual([light.accent, light.askedRatio], ['#0b6b53', light.ratio]);
  assert.notEqual(dark.accent, '#0b6b53');
  assert.ok(dark.askedRatio < CONTRAST_MIN);
});
