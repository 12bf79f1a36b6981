export { moveShareFigures } from './figures.ts';
export { shareHistories, type ShareHistory, type ShareSum } from './share-history.ts';
