import type { CallOptions } from '../../sdk/src/index.ts';
import { act } from '../act.ts';
import { announce } from '../frame/announcer.tsx';
import { t } from '../words.ts';
import { useBusy } from './busy.ts';
import { Button } from './button.tsx';
import { DownloadIcon } from './icons.tsx';

interface DownloadButtonProps {
  label: string;
  /** The name of the file on the person's device. */
  fileName: string;
  load(options: CallOptions): Promise<Response>;
}

/** Saves a file of the API. A link would save the refusal of an ended session instead. */
export function DownloadButton({ label, fileName, load }: DownloadButtonProps) {
  const { isBusy, error, run } = useBusy();
  const download = async () => {
    const response = await act(load);
    saveFile(await response.blob(), fileName);
    announce(t('common.fileSaved', { file: fileName }));
  };
  return (
    <>
      <Button kind="quiet" busy={isBusy} onClick={() => run(download)}>
        <DownloadIcon aria-hidden />
        {label}
      </Button>
      {error && (
        <p class="field-fault" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
