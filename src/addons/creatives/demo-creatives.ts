import { invoke } from '../../kernel/call/invoke.ts';
import type { DemoPart } from '../../kernel/declare/demo.ts';
import { createCreative } from './api/create-creative.ts';

const WIDTH = 600;
const HEIGHT = 315;

const CREATIVES = [
  {
    kind: 'text',
    name: 'Short post',
    category: 'Posts',
    text: 'I pack with Alpine Supply. With {code} you pay less: {link}',
  },
  {
    kind: 'email',
    name: 'Newsletter: ready for the hut',
    category: 'Mails',
    description: 'For a list of your own. Change what does not sound like you.',
    text:
      'Hello,\n\nthe huts open in three weeks. This is what is in my backpack: {link}\n\n' +
      'With {code} you pay less.',
  },
  { kind: 'link', name: 'All products', category: 'Links' },
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
            name: 'Mountains in the morning',
            category: 'Banners',
            alt: 'Two mountains before a bright sky',
            content: await drawMountains(),
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
async function drawMountains(): Promise<string> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) pixels.set(colorAt(x, y), (y * WIDTH + x) * 3);
  }
  const { default: sharp } = await import('sharp');
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return (await sharp(pixels, { raw }).png().toBuffer()).toString('base64');
}

function colorAt(x: number, y: number): [red: number, green: number, blue: number] {
  if (y > 130 + Math.abs(x - 210) * 0.9) return [11, 107, 83];
  if (y > 90 + Math.abs(x - 420) * 0.7) return [74, 143, 122];
  const light = y / HEIGHT;
  return [214 + 40 * light, 232 + 16 * light, 248 - 20 * light].map(Math.round) as [
    number,
    number,
    number,
  ];
}
