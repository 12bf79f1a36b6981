import type { Brand, Program } from '../../../sdk/src/index.ts';
import { contrast, CONTRAST_MIN } from '../../../src/web-contract/accent-colors.ts';
import { formatMoney, formatRate } from '../../format.ts';
import { t } from '../../words.ts';
import { BUILT_IN } from './brand.tsx';

const WHITE = '#ffffff';
const BLACK = '#12181b';
/** What previews of links show best. */
const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 80;
const INNER = WIDTH - 2 * MARGIN;
/** The plate below the logo: most logos are made for a light background. */
const PLATE = { width: 420, height: 128, padding: 24, radius: 20 };
const HEADLINE_SIZES = [88, 72, 60, 48];
const HEADLINE_LINES = 3;
const LINE_HEIGHT = 1.15;
const TEXT_SIZE = 40;

interface BrandPicture {
  brand: Brand;
  program: Program;
  /** Of the program page; empty for the built-in words. */
  headline: string;
}

/**
 * Draws the picture of the program page from the logo, the name, the colour and the reward. The browser of the team
 * does it: it has fonts for every script, and the service needs no library that draws.
 */
export async function drawBrandPicture({ brand, program, headline }: BrandPicture): Promise<Blob> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext('2d')!;
  const ground = brand.accent?.color ?? BUILT_IN;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const ink = contrast(ground, WHITE) >= CONTRAST_MIN ? WHITE : BLACK;
  pen.textBaseline = 'middle';
  if (brand.logo) await drawLogo(pen, brand.logo);
  pen.fillStyle = ink;
  if (!brand.logo) {
    write(pen, brand.name, { size: TEXT_SIZE, weight: 600, at: MARGIN + TEXT_SIZE / 2 });
  }
  drawHeadline(pen, headline || t('console-settings.pictureHeadline', { store: brand.name }));
  write(pen, rewardOf(program), {
    size: TEXT_SIZE,
    weight: 500,
    at: HEIGHT - MARGIN - TEXT_SIZE / 2,
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The browser could not draw the picture.'));
    }, 'image/png');
  });
}

interface Line {
  size: number;
  weight: number;
  /** The middle of the line, from the top. */
  at: number;
}

function write(pen: CanvasRenderingContext2D, text: string, { size, weight, at }: Line): void {
  pen.font = `${weight} ${size}px system-ui, sans-serif`;
  pen.fillText(text, MARGIN, at, INNER);
}

async function drawLogo(
  pen: CanvasRenderingContext2D,
  { url, width, height }: NonNullable<Brand['logo']>,
): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const room = { width: PLATE.width - 2 * PLATE.padding, height: PLATE.height - 2 * PLATE.padding };
  const scale = Math.min(room.width / width, room.height / height);
  const [shownWidth, shownHeight] = [width * scale, height * scale];
  pen.fillStyle = WHITE;
  pen.beginPath();
  pen.roundRect(MARGIN, MARGIN, shownWidth + 2 * PLATE.padding, PLATE.height, PLATE.radius);
  pen.fill();
  const top = MARGIN + (PLATE.height - shownHeight) / 2;
  pen.drawImage(image, MARGIN + PLATE.padding, top, shownWidth, shownHeight);
}

/** As large as three lines allow. What is too long even for the smallest letters ends with an ellipsis. */
function drawHeadline(pen: CanvasRenderingContext2D, text: string): void {
  const weight = 700;
  let lines: string[] = [];
  let size = 0;
  for (size of HEADLINE_SIZES) {
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    lines = linesOf(text, (line) => pen.measureText(line).width <= INNER);
    if (lines.length <= HEADLINE_LINES) break;
  }
  const shown = lines.slice(0, HEADLINE_LINES);
  if (shown.length < lines.length) shown.push(`${shown.pop()!.slice(0, -1)}…`);
  const step = size * LINE_HEIGHT;
  const top = (HEIGHT + PLATE.height - TEXT_SIZE) / 2 - (step * (shown.length - 1)) / 2;
  for (const [i, line] of shown.entries()) write(pen, line, { size, weight, at: top + i * step });
}

/** Breaks a text between words, also those of scripts without spaces. */
function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines = [''];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    const longer = lines.at(-1)! + segment;
    if (fits(longer.trimEnd()) || lines.at(-1) === '') lines.splice(-1, 1, longer);
    else lines.push(segment.trimStart());
  }
  return lines.map((line) => line.trimEnd());
}

/** What new affiliates earn; empty if only rules say it. */
function rewardOf({ commission, currency }: Program): string {
  const { percent, fixed_per_order: perOrder } = commission;
  if (percent > 0) {
    return t('console-settings.pictureShare', { rate: formatRate(percent) });
  }
  if (perOrder === 0) return '';
  return t('console-settings.pictureAmount', { rate: formatMoney(perOrder, currency) });
}
