'use strict';
// What is told of a rectangle, at the pointer and at once; zoom by the plot's view box; ticks for what is seen.
(() => {
  const picture = document.querySelector('.cairn-plan');
  const plot = picture.querySelector('.plot');
  const axes = picture.querySelector('.axes');
  const lines = picture.querySelector('.lines');
  const lane = picture.querySelector('.lane');
  const tip = document.getElementById('tip');
  const controls = document.querySelector('.controls');
  const width = plot.width.baseVal.value;
  const height = plot.height.baseVal.value;
  const first = +plot.dataset.first, end = +plot.dataset.end, bytes = +plot.dataset.bytes;
  const allAxes = axes.innerHTML;
  const titles = new Map();
  for (const title of plot.querySelectorAll('title')) {
    titles.set(title.parentNode, title.textContent);
    title.remove();
  }

  let box = {x: 0, y: 0, width, height};
  controls.hidden = false;

  plot.addEventListener('pointermove', event => {
    const told = titles.get(event.target);
    tip.hidden = !told;
    if (told) {
      tip.textContent = told;
      tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
      const below = event.clientY + 16;
      tip.style.top = (below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below) + 'px';
    }
  });
  plot.addEventListener('pointerleave', () => { tip.hidden = true; });

  const at = event => {
    const frame = plot.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(frame);
    return {x: point.x, y: point.y};
  };

  const show = next => {
    const w = Math.min(width, next.width), h = Math.min(height, next.height);
    box = {width: w, height: h, x: Math.max(0, Math.min(width - w, next.x)), y: Math.max(0, Math.min(height - h, next.y))};
    plot.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    lane.setAttribute('viewBox', `${box.x} 0 ${box.width} ${lane.height.baseVal.value}`);
    const moved = w < width || h < height;
    plot.classList.toggle('moved', moved);
    lines.style.display = moved ? 'none' : '';
    axes.innerHTML = moved ? ticks() : allAxes;
  };

  plot.addEventListener('wheel', event => {
    event.preventDefault();
    const point = at(event);
    const factor = Math.exp((event.deltaY || event.deltaX) * 0.0015);
    const fx = event.shiftKey ? 1 : Math.max(factor, width / (end - first) / box.width);
    const fy = event.altKey ? 1 : Math.max(factor, height / 1e6 / box.height);
    show({x: point.x - (point.x - box.x) * fx, y: point.y - (point.y - box.y) * fy, width: box.width * fx, height: box.height * fy});
  }, {passive: false});

  let held = null;
  plot.addEventListener('pointerdown', event => { held = at(event); plot.setPointerCapture(event.pointerId); });
  plot.addEventListener('pointerup', () => { held = null; });
  plot.addEventListener('pointermove', event => {
    if (held) {
      const point = at(event);
      show({...box, x: box.x + held.x - point.x, y: box.y + held.y - point.y});
    }
  });
  const reset = () => show({x: 0, y: 0, width, height});
  plot.addEventListener('dblclick', reset);
  controls.querySelector('button').addEventListener('click', reset);

  const round = (from, to, most, base) => {
    let step = 1;
    for (let i = 0; (to - from) / step > most; i++) {
      step = base === 2 ? step * 2 : step * (i % 3 === 1 ? 2.5 : 2);
    }
    const values = [];
    for (let it = Math.ceil(from / step) * step; it <= to; it += step) {
      values.push(it);
    }
    return values;
  };
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const inBytes = value => {
    const unit = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
    return +(value / 1024 ** unit).toFixed(3) + ' ' + units[unit];
  };
  const ticks = () => {
    const times = round(first + (end - first) * box.x / width, first + (end - first) * (box.x + box.width) / width, 11, 10);
    const addresses = round(bytes * (1 - (box.y + box.height) / height), bytes * (1 - box.y / height), 9, 2);
    return times.map(it => {
      const x = ((it - first) / (end - first) * width - box.x) / box.width * width;
      return `<line class="tick" x1="${x}" y1="${height}" x2="${x}" y2="${height + 4}"/>`
        + `<text class="dim" x="${x}" y="${height + 16}" text-anchor="middle">${it.toLocaleString('en')}</text>`;
    }).join('') + addresses.map(it => {
      const y = ((1 - it / bytes) * height - box.y) / box.height * height;
      return `<line class="grid" x1="-4" y1="${y}" x2="${width}" y2="${y}"/>`
        + `<text class="dim" x="-8" y="${y + 4}" text-anchor="end">${inBytes(it)}</text>`;
    }).join('');
  };

  const run = controls.querySelector('input[type=checkbox]');
  if (run) {
    run.addEventListener('change', () => plot.classList.toggle('planned', !run.checked));
  }

  const input = controls.querySelector('input[type=search]');
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    let hits = 0;
    for (const [rectangle, told] of titles) {
      const isHit = wanted !== '' && told.toLowerCase().includes(wanted);
      rectangle.classList.toggle('hit', isHit);
      hits += isHit;
    }
    plot.classList.toggle('found', wanted !== '');
    controls.querySelector('output').textContent = wanted === '' ? '' : `${hits} found`;
  });
})();
