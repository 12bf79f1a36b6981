import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Escape and the button above. Without it the dialog stays until its question is answered. */
  onClose?: () => void;
  /** For tables and lists, which need more room than a question. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** Covers the screen, on a phone all of it. While it is open only its content has the focus. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  /** Asks before it throws away what was entered. */
  const leave = () => {
    if (isAsking) setAsking(false);
    else if (isFilledIn(element.current!)) setAsking(true);
    else onClose?.();
  };
  useLayoutEffect(() => {
    if (isAsking) element.current!.querySelector<HTMLElement>('.dialog-question button')!.focus();
  }, [isAsking]);
  // Before anything else can be typed, so that no letter is lost.
  useLayoutEffect(() => {
    const dialog = element.current!;
    // `showModal` is what keeps the focus inside, and `close` returns it to where it was.
    dialog.showModal();
    const field = dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)');
    (field ?? heading.current!).focus();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      data-wide={isWide}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (onClose) leave();
      }}
    >
      <div class="dialog-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {onClose && (
          <button type="button" class="dialog-close" aria-label={t('common.close')} onClick={leave}>
            <CloseIcon aria-hidden />
          </button>
        )}
      </div>
      <div class="dialog-body">
        {isAsking && (
          <div class="dialog-question" role="alertdialog" aria-label={t('common.discard.question')}>
            <p>{t('common.discard.question')}</p>
            <Button kind="quiet" onClick={() => setAsking(false)}>
              {t('common.discard.keep')}
            </Button>
            <Button kind="danger" onClick={() => onClose?.()}>
              {t('common.discard.confirm')}
            </Button>
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}

const TYPED = 'form :is(textarea, input:not([type="checkbox"], [type="radio"], [type="password"]))';

/** Whether a form has a value that it did not begin with. What was accepted is what a form begins with. */
function isFilledIn(dialog: HTMLDialogElement): boolean {
  return [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TYPED)].some(
    (field) => field.value.trim() !== field.defaultValue.trim(),
  );
}
