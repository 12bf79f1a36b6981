import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../words.ts';
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
        onClose?.();
      }}
    >
      <div class="dialog-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {onClose && (
          <button
            type="button"
            class="dialog-close"
            aria-label={t('common.close')}
            onClick={onClose}
          >
            <CloseIcon aria-hidden />
          </button>
        )}
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
