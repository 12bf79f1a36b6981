import { useLayoutEffect, useMemo } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { DownloadButton } from '../../ui/download-button.tsx';
import './qr.css';

interface QrProps {
  text: string;
  /** For screen readers; empty if a text beside it says the same. */
  alt: string;
  /** The name of the downloaded file, without its ending; without it the code is for the screen only. */
  name?: string;
}

/** Large enough for print. */
const PNG_PIXELS = 1_024;

/** A QR code, to scan from the screen or to download for print. */
export function Qr({ text, alt, name }: QrProps) {
  const svg = useMemo(
    () => new Blob([renderSVG(text, { ecc: 'M', border: 2 })], { type: 'image/svg+xml' }),
    [text],
  );
  const url = useMemo(() => URL.createObjectURL(svg), [svg]);
  useLayoutEffect(() => () => URL.revokeObjectURL(url), [url]);
  const file = name?.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  return (
    <div class="qr">
      <img class="qr-image" src={url} alt={alt} />
      {file !== undefined && (
        <div class="qr-actions">
          <DownloadButton
            label="SVG"
            fileName={`${file}.svg`}
            load={() => Promise.resolve(new Response(svg))}
          />
          <DownloadButton
            label="PNG"
            fileName={`${file}.png`}
            load={async () => new Response(await asPng(url))}
          />
        </div>
      )}
    </div>
  );
}

async function asPng(svgUrl: string): Promise<Blob> {
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
  if (!blob) throw new Error('The browser could not make the picture.');
  return blob;
}
