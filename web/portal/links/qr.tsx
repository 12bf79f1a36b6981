import { useEffect, useMemo } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { t } from '../../words.ts';

export interface QrProps {
  text: string;
  /** The name of the downloaded file, without its ending. */
  name: string;
}

/** Large enough for print. */
const PNG_PIXELS = 1_024;

/** A QR code, to scan from the screen or to download for print. */
export function Qr({ text, name }: QrProps) {
  const svg = useMemo(
    () => new Blob([renderSVG(text, { ecc: 'M', border: 2 })], { type: 'image/svg+xml' }),
    [text],
  );
  const url = useMemo(() => URL.createObjectURL(svg), [svg]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const file = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-') || 'qr';
  return (
    <div class="qr">
      <img class="qr-image" src={url} alt={t('portal.links.qrAlt', { url: text })} />
      <div class="qr-actions">
        <Button kind="quiet" type="button" onClick={() => save(url, `${file}.svg`)}>
          <DownloadIcon aria-hidden />
          SVG
        </Button>
        <Button kind="quiet" type="button" onClick={() => void savePng(url, `${file}.png`)}>
          <DownloadIcon aria-hidden />
          PNG
        </Button>
      </div>
    </div>
  );
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

async function savePng(svgUrl: string, name: string): Promise<void> {
  const image = new Image(PNG_PIXELS, PNG_PIXELS);
  image.src = svgUrl;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PNG_PIXELS;
  canvas.height = PNG_PIXELS;
  const context = canvas.getContext('2d')!;
  // Squares keep their sharp edges.
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, PNG_PIXELS, PNG_PIXELS);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const url = URL.createObjectURL(blob);
  save(url, name);
  URL.revokeObjectURL(url);
}
