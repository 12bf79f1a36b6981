import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { QrProps } from './qr.tsx';

const loaded = signal<FunctionComponent<QrProps> | undefined>(undefined);
let isLoading = false;

/** The QR code, whose code is loaded after the screen. */
export function LazyQr(props: QrProps) {
  const Qr = loaded.value;
  if (Qr) return <Qr {...props} />;
  if (!isLoading) {
    isLoading = true;
    import('./qr.tsx')
      .then((module) => (loaded.value = module.Qr))
      // The next time that the screen is rendered it is tried again.
      .catch(() => (isLoading = false));
  }
  return <Skeleton height="17rem" />;
}
