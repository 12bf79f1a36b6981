import { useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';
import './copy-button.css';

const CONFIRMED_MS = 2_000;

interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers: "Copy link". */
  label: string;
  kind?: 'primary' | 'quiet';
}

/** Copies a text, and says so to the eye and to screen readers. */
export function CopyButton({ text, label, kind = 'quiet' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState<boolean>();
  useLayoutEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(undefined), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span class="copy-button">
      <Button
        kind={kind}
        aria-label={label}
        onClick={() => {
          void copy(text).then(setCopied);
        }}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
        <span class="copy-button-word">
          <span data-shown={!isCopied}>{t('common.copy')}</span>
          <span data-shown={isCopied === true}>{t('common.copied')}</span>
        </span>
      </Button>
      <span class="visually-hidden" role="status">
        {isCopied ? t('common.copiedSpoken') : ''}
      </span>
      {isCopied === false && (
        <span class="field-fault" role="alert">
          {t('common.copyFailed')}
        </span>
      )}
    </span>
  );
}

/** The clipboard needs HTTPS; a selected field works everywhere. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    // The only way without HTTPS.
    // oxlint-disable-next-line typescript/no-deprecated
    const isDone = document.execCommand('copy');
    field.remove();
    return isDone;
  }
}
