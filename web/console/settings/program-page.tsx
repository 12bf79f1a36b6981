import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { FormattedText } from '../../ui/formatted-text.tsx';
import { t } from '../../words.ts';
import { drawBrandPicture } from './brand-picture.ts';
import { ImageUpload } from './image-upload.tsx';

/** The picture of the program page, which is saved when it is chosen. */
export function ProgramPicture({ headline }: { headline: string }) {
  const { program } = useSession();
  const { data } = useData('settings', { part: 'picture' }, () => api.brand.get());
  const picture = data?.picture ?? undefined;
  return (
    <>
      {picture && (
        <img
          class="picture-preview"
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt={t('console-settings.picturePreview')}
        />
      )}
      <ImageUpload
        setting="program.picture"
        label={t('console-settings.picture')}
        hint={t('console-settings.pictureHint')}
        accept=".jpg,.jpeg,.png,image/jpeg,image/png"
        isSet={picture !== undefined}
        saved={t('console-settings.pictureSaved')}
        none={t('console-settings.pictureNone')}
        removeLabel={t('console-settings.pictureRemove')}
        prepare={shrink}
        make={{
          label: t('console-settings.pictureMake'),
          hint: t('console-settings.pictureMakeHint'),
          draw: async () => drawBrandPicture({ brand: await api.brand.get(), program, headline }),
        }}
        save={async (content, options) => void (await api.brand.picture.set({ content }, options))}
        remove={async (options) => void (await api.brand.picture.delete(options))}
      />
    </>
  );
}

/** The sections as the program page shows them. */
export function SectionsPreview({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <section class="sections-preview" aria-label={t('console-settings.sectionsPreview')}>
      <FormattedText text={text} />
    </section>
  );
}

const SIDE_MAX = 1600;
const BYTES_MAX = 600_000;
const QUALITY = 0.85;

/**
 * Photos of cameras are larger than a page needs, and often rotated: the browser scales and turns them. The
 * service judges what no browser can read.
 */
async function shrink(file: File): Promise<Blob> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return file;
  const scale = Math.min(1, SIDE_MAX / Math.max(image.width, image.height));
  if (file.type === 'image/png' && scale === 1 && file.size <= BYTES_MAX) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d')!;
  // JPEG has no transparent pixels.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', QUALITY);
  });
}
