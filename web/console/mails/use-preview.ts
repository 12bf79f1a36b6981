import { useEffect, useRef, useState } from 'preact/hooks';
import { TributaryError, type MailPreview, type MailText } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import type { Words } from './mail-drafts.ts';

const TYPING_MS = 350;

/** The preview of what is typed. While it cannot be shown, the last one stays, with the reasons. */
export function usePreview({ name, language }: MailText, { subject, text }: Words) {
  const [shown, setShown] = useState<MailPreview>();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const isFirst = useRef(true);
  useEffect(() => {
    let isOver = false;
    const load = async () => {
      try {
        const preview = await api.mails.preview(name, language, { subject, text });
        if (isOver) return;
        setShown(preview);
        setErrors({});
      } catch (error) {
        if (!isOver && error instanceof TributaryError) setErrors(error.params);
      }
    };
    const timer = setTimeout(() => void load(), isFirst.current ? 0 : TYPING_MS);
    isFirst.current = false;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name, language, subject, text]);
  return { shown, errors };
}
