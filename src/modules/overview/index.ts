export { firstSteps, type FirstStep } from './first-step.ts';
export { needs, type Need } from './needs.ts';
