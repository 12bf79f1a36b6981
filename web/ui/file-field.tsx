import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words.ts';
import { Labelled, useLinks } from './field.tsx';
import './file-field.css';

interface FileFieldProps {
  id?: string;
  name: string;
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  required?: boolean;
  disabled?: boolean;
  /** Whether a file is sent when it is chosen: nothing stays chosen then. */
  isSentAtOnce?: boolean;
  onFiles(files: readonly File[], form: HTMLFormElement | null): void;
}

/**
 * Files that are chosen, or dropped on the field. The input lies over the whole field and is not seen: a browser draws
 * its button in its own language and its own colors.
 */
export function FileField(props: FileFieldProps) {
  const { id: given, label, hint, isSentAtOnce = false, onFiles, ...own } = props;
  const { error, ...links } = useLinks(own.name, { id: given, hint });
  const [names, setNames] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { multiple = false, required = false } = own;

  useLayoutEffect(() => {
    const form = input.current!.form;
    const empty = () => setNames([]);
    form?.addEventListener('reset', empty);
    return () => form?.removeEventListener('reset', empty);
  }, []);

  return (
    <Labelled {...{ label, hint, error }} required={required || isSentAtOnce} id={links.id}>
      <div class="file-field" data-over={isOver}>
        <input
          {...links}
          {...own}
          type="file"
          ref={input}
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            const { form } = currentTarget;
            if (isSentAtOnce) currentTarget.value = '';
            else setNames(files.map(({ name }) => name));
            if (files.length > 0 || !isSentAtOnce) onFiles(files, form);
          }}
        />
        {/* Screen readers say the names with the input. */}
        <span class="file-choose" aria-hidden="true">
          {t(multiple ? 'common.chooseFiles' : 'common.chooseFile')}
        </span>
        <span class="file-names" aria-hidden="true">
          {names.length > 0 ? names.join(', ') : t('common.dropFile')}
        </span>
      </div>
    </Labelled>
  );
}
