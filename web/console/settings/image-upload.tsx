import { useState } from 'preact/hooks';
import { TributaryError, type CallOptions } from '../../../sdk/src/index.ts';
import { act, GivenUp } from '../../act.ts';
import { refresh } from '../../data.ts';
import { limitOf, sentenceOf } from '../../error-words.ts';
import { Button } from '../../ui/button.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { adopt } from './draft.ts';
import { loadSettings } from './setting-schema.ts';

interface ImageUploadProps {
  /** The setting that names the file. */
  setting: string;
  label: string;
  hint: string;
  /** Kinds of files, for the dialog that chooses one. */
  accept: string;
  isSet: boolean;
  saved: string;
  none: string;
  removeLabel: string;
  /** The file that is sent; by default the one that was chosen. */
  prepare?(file: File): Promise<Blob>;
  /** Makes an image without a file, on a button of its own. */
  make?: { label: string; hint: string; draw(): Promise<Blob> };
  save(content: Blob, options: CallOptions): Promise<void>;
  remove(options: CallOptions): Promise<void>;
}

type UploadState = { step: 'ready' | 'busy' } | { step: 'done' | 'refused'; text: string };

/** An image is saved when it is chosen: a file cannot be part of a review. */
export function ImageUpload(props: ImageUploadProps) {
  const { setting, label, hint, accept, isSet, saved, none, removeLabel, prepare, make } = props;
  const [state, setState] = useState<UploadState>({ step: 'ready' });
  const run = async (text: string, change: (options: CallOptions) => Promise<void>) => {
    setState({ step: 'busy' });
    try {
      await act(change);
      setState({ step: 'done', text });
      adopt(await loadSettings(), setting);
      await refresh('settings');
    } catch (error) {
      if (error instanceof GivenUp) setState({ step: 'ready' });
      else setState({ step: 'refused', text: refusalOf(error) });
    }
  };
  const upload = async (image: () => Promise<Blob>) => {
    setState({ step: 'busy' });
    // Once, although the change may be sent several times.
    const content = image();
    await run(saved, async (options) => props.save(await content, options));
  };
  return (
    <div class="image-upload">
      {!isSet && <p class="muted">{none}</p>}
      <FileField
        name=""
        label={label}
        hint={hint}
        accept={accept}
        disabled={state.step === 'busy'}
        isSentAtOnce
        onFiles={([file]) => {
          if (file) void upload(async () => (await prepare?.(file)) ?? file);
        }}
      />
      {state.step === 'done' && <Notice kind="good">{state.text}</Notice>}
      {state.step === 'refused' && <Notice kind="bad">{state.text}</Notice>}
      <div class="image-actions">
        {make && (
          <Button
            kind="quiet"
            busy={state.step === 'busy'}
            aria-describedby={`${setting}-make-hint`}
            onClick={() => void upload(make.draw)}
          >
            {make.label}
          </Button>
        )}
        {isSet && (
          <Button
            kind="quiet"
            busy={state.step === 'busy'}
            onClick={() => void run(none, (options) => props.remove(options))}
          >
            {removeLabel}
          </Button>
        )}
      </div>
      {make && (
        <p class="field-hint" id={`${setting}-make-hint`}>
          {make.hint}
        </p>
      )}
    </div>
  );
}

function refusalOf(error: unknown): string {
  const reason = error instanceof TributaryError ? error.params['content'] : undefined;
  if (reason === undefined) return sentenceOf(error);
  const limit = limitOf(error);
  return limit ?? t('console-settings.logoRefused', { reason: reason.replace(/\.$/, '') });
}
