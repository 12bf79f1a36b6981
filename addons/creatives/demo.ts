import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { createCreative } from './api/create-creative.ts';

const WIDTH = 600;
const HEIGHT = 315;

const CREATIVES = [
  {
    kind: 'text',
    name: 'Short post',
    category: 'Posts',
    text: 'The candles on my table are from Willow & Wick. With {code} you pay less: {link}',
  },
  {
    kind: 'email',
    name: 'Newsletter: long evenings',
    category: 'Mails',
    description: 'For a list of your own. Change what does not sound like you.',
    text:
      'Hello,\n\nthe evenings are long again. These are the candles that I light: {link}\n\n' +
      'With {code} you pay less.',
  },
  { kind: 'link', name: 'All candles', category: 'Links' },
];

export const demoCreatives: DemoPart = {
  counts: () => ({ creatives: CREATIVES.length + 1 }),
  happenings(site) {
    if (!site.registry.isActive(createCreative)) return [];
    return [
      {
        daysAgo: 25,
        async happen() {
          const banner = {
            kind: 'image',
            name: 'A candle in the evening',
            category: 'Banners',
            alt: 'A burning candle before a dark wall',
            content: await drawCandle(),
          };
          for (const creative of [banner, ...CREATIVES]) {
            await invoke(site, createCreative, creative);
          }
        },
      },
    ];
  },
};

/** A picture of our own, so that the demo needs no file. */
async function drawCandle(): Promise<string> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) pixels.set(colorAt(x, y), (y * WIDTH + x) * 3);
  }
  const { default: sharp } = await import('sharp');
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return (await sharp(pixels, { raw }).png().toBuffer()).toString('base64');
}

function colorAt(x: number, y: number): [red: number, green: number, blue: number] {
  const fromMiddle = x - WIDTH / 2;
  if (Math.hypot(fromMiddle / 14, (y - 120) / 30) < 1) return [255, 214, 120];
  if (Math.abs(fromMiddle) < 45 && y > 165) return [243, 233, 214];
  const light = Math.max(0, 1 - Math.hypot(fromMiddle, y - 120) / 320);
  return [40 + 150 * light, 34 + 90 * light, 46 + 20 * light];
}
