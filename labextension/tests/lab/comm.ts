// A comm as JupyterLab has it, at whose other end a test is the kernel.

export class Comm {
  sent: unknown[] = [];
  onMsg: (message: unknown) => void = () => undefined;
  onClose: () => void = () => undefined;

  constructor(readonly commId: string) {}

  send(data: unknown): void {
    this.sent.push(data);
  }

  says(...runs: unknown[]): void {
    this.onMsg({ content: { data: { type: "runs", runs } } });
  }
}
