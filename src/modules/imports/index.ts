export { listImports } from './import-rows.ts';
export { importKinds, type CsvShape, type ImportKind } from './csv/import-kinds.ts';
export { readSource } from './from/read-file.ts';
export { describeImport, describeUndo, reportOf } from './from/report.ts';
export { runImport } from './from/run-import.ts';
export { systems } from './from/systems.ts';
export { rehearsalOf } from './rehearsal.ts';
export { undoImport } from './undo/undo-import.ts';
