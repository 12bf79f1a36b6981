import type { CallOptions } from '../../sdk/src/index.ts';
import { t } from '../words.ts';
import { DownloadButton } from './download-button.tsx';

interface CsvButtonProps {
  fileName: string;
  load(options: CallOptions): Promise<Response>;
}

/** Saves what the list shows, with its search and filters, as CSV. */
export function CsvButton({ fileName, load }: CsvButtonProps) {
  return <DownloadButton label={t('console.table.csv')} fileName={fileName} load={load} />;
}
