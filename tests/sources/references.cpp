/* References, struct values, namespaces and casts of C++. */
#include <cmath>
#include <algorithm>
struct V { double x, y; };
static void upd(double &out, const V &v, int k) { out = v.x * k + v.y; }
void ext(const double &in, double &out);
int work(double (&a)[5][4], V v[5], bool flags[5], double &scale) {
  V t{1.0, 2.0};
  for (int i = 0; i < 5; i++) {
    v[i].x = static_cast<int>(v[i].x) + t.y;
    flags[i] = v[i].x > 3 && !flags[i] ? true : i != 2;
    for (int j = 0; j < 4; j++) {
      upd(a[i][j], v[i], j);
      a[i][j] += std::sqrt(std::abs(a[i][j])) * scale;
    }
    ext(a[i][0], v[4 - i].y);
    t = V{v[i].x, a[i][1]};
  }
  scale = t.x;
  return 0;
}
