#!/bin/bash
# `drystone picture` and `drystone movie` draw what they are asked for, where nothing is fixed too, and say what results
# lack; a screen that fails is asked again.
# test: needs paraview xauth xvfb python3 python3-h5py python3-numpy python3-matplotlib python3-pil
# test: slow
# test: ranks 2
# test: timeout 900
set -u
program=$(realpath "$1")
python=/usr/bin/python3
for tool in pvbatch xvfb-run; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
"$python" -c 'import h5py, matplotlib' 2>/dev/null || { echo "python3-matplotlib is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$PWD/matplotlib
mkdir -p matplotlib
rm -rf arch free bare beam bin ./*.png ./*.gif
fail() { echo "FAILED  $*"; exit 1; }

cat >beam.yaml <<'END'
title: a beam of finite elements on two supports, a rigid stone beside it
units: SI
gravity: [0, 0, -9.81]
time: {step: 5e-3, end: 0.05}
materials: {stone: {density: 2000, young: 1e8, poisson: 0.2, damping: 1e-2}}
contacts: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {grid: {box: [0.2, 0.4, 0.2], count: [2, 1, 1], spacing: [1.6, 1, 1]}, at: [-0.8, 0, -0.1], material: stone,
     fixed: true}
  - {box: [1.8, 0.3, 0.2], at: [0, 0, 0.1], material: stone, elastic: {cells: [9, 1, 2]}}
  - {box: [0.2, 0.2, 0.2], at: [1, 0, 0.1], velocity: [0, 0, 1], material: stone}
output: {frames: {every: 0.05}}
END
cat >arch.yaml <<'END'
units: SI
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.6}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.8}]
bodies:
  - {arch: {voussoirs: 15, radius: 10, thickness: 1.02, width: 5}, material: stone, name: arch}
  - {box: [400, 200, 1], at: [0, 0, -2.02], material: stone, fixed: true, name: floor}
output: {frames: {every: 0.3}}
END
"$program" run arch.yaml -o arch >arch.log 2>&1 || fail "the arch: $(tail -n 3 arch.log)"
sed -e '/fixed: true/d' -e 's/end: 0.6/end: 0.02/; s/every: 0.3/every: 0.02/' arch.yaml >free.yaml
"$program" run free.yaml -o free >free.log 2>&1 || fail "nothing fixed: $(tail -n 3 free.log)"
"$program" run arch.yaml -o bare --steps 2 --set output.frames.every=4e-3 --set output.frames.fields=none \
  >bare.log 2>&1 ||
  fail "frames that tell nothing: $(tail -n 3 bare.log)"

# drawn PICTURE OPTION...: it is drawn, and what moves fills a good part of it, however far the floor reaches
drawn()
{
  local said
  said=$("$program" picture "${@:2}" -o "$1" 2>error.txt) || fail "picture ${*:2}: $(cat error.txt)"
  [ "$said" = "$1" ] || fail "picture ${*:2} says $said"
  "$python" - "$1" <<'END' || fail "picture ${*:2} is as good as empty"
import sys
import numpy
from matplotlib import image
pixels = image.imread(sys.argv[1])[:, :, :3]
seen = pixels.min(axis=2) < 0.9
across, down = numpy.flatnonzero(seen.any(axis=0)), numpy.flatnonzero(seen.any(axis=1))
coloured = (numpy.ptp(pixels, axis=2) > 0.1).mean()
print(f"{sys.argv[1]}: {seen.mean():.3f} of it drawn, {coloured:.3f} coloured")
sys.exit(not (seen.mean() > 0.02 and coloured > 0.01 and numpy.ptp(across) > pixels.shape[1] / 2))
END
}
drawn displacement.png arch --size 600,400 --from 0,-1,0.2
drawn chains.png arch --by speed --forces chains --size 600,400
drawn arrows.png arch --by stress --forces arrows --time 0.3 --size 600,400
drawn thrust.png arch --by body --forces thrust --hinges 0 --size 600,400 --from 0,-1,0.2
drawn unmarked.png arch --by body --size 600,400 --from 0,-1,0.2
"$python" - <<'END' || fail "no line of thrust, or no hinges, in the picture"
import numpy
from matplotlib import image
def share(path, channel, lead):   # of pixels in which one of red, green and blue exceeds the others
    pixels = image.imread(path)[:, :, :3]
    others = numpy.delete(pixels, channel, axis=2).max(axis=2)
    return float((pixels[:, :, channel] - others > lead).mean())
for name, channel, lead in (("thrust", 0, 0.25), ("hinges", 2, 0.1)):
    marked, bare = share("thrust.png", channel, lead), share("unmarked.png", channel, lead)
    print(f"{name}: {marked:.4f} of the picture with marks, {bare:.4f} without")
    assert marked > 1e-3 and bare < 1e-4
END
drawn free.png free --by body --zoom 1.2 --size 600,400
"$program" run beam.yaml -o beam >beam.log 2>&1 || fail "the beam: $(tail -n 3 beam.log)"
drawn tension.png beam --by tension --enlarge 20 --size 600,400 --from 0,-1,0.2
drawn mises.png beam --by von_mises --size 600,400 --from 0,-1,0.2
cmp -s tension.png mises.png && fail "pictures of different stresses are the same"
cmp -s displacement.png chains.png && fail "pictures of different things are the same"

said=$("$program" movie arch -o arch.gif --size 300,200) && [ "$said" = arch.gif ] || fail "the movie: $said"
"$python" - <<'END' || fail "the movie has not all frames"
from PIL import Image
movie = Image.open("arch.gif")
assert movie.n_frames == 3 and movie.size == (300, 200), (movie.n_frames, movie.size)
END

# refused CODE WORDS COMMAND...
refused()
{
  local code=0
  "$program" "${@:3}" >refused.log 2>&1 || code=$?
  [ $code -eq "$1" ] && grep -q -- "$2" refused.log || fail "${*:3}: code $code, $(cat refused.log)"
}
refused 2 "holds no bodies.xmf" picture none
refused 2 "output.frames.fields: displacement" picture bare
refused 2 "output.frames.fields: interfaces" picture bare --by body --forces thrust
refused 2 "no body is pressed by just two others" picture arch --by body --forces thrust --time 0
refused 2 "option --hinges: expected" picture arch --hinges -1
refused 2 "chains.xmf: .*output.frames.fields: chains" picture bare --by body --forces chains
refused 2 "no bodies of finite elements, which --by tension colours" picture arch --by tension
refused 2 "by: expected displacement, speed, .*, found 'colour'" picture arch --by colour
refused 2 "option --from: expected numbers as -1,-2,0.8, found '1,2'" picture arch --from 1,2
refused 2 "no direction: 0,0,0" picture arch --from 0,0,0
refused 2 "size: expected 16 to 16384 pixels" picture arch --size 0,100
refused 2 "unknown option --every of picture" picture arch --every 2
refused 2 "none holds no results of drystone" movie none

# a screen that fails twice, and one that fails for ever
mkdir bin
cat >bin/xvfb-run <<END
#!/bin/bash
echo once >>tries.txt
[ "\$(wc -l <tries.txt)" -gt "\${FAILS:-2}" ] || { echo "Xvfb failed to start" >&2; exit 1; }
exec $(command -v xvfb-run) "\$@"
END
chmod +x bin/xvfb-run
PATH=$PWD/bin:$PATH drawn again.png arch --size 600,400 --from 0,-1,0.2
[ "$(wc -l <tries.txt)" -ge 3 ] || fail "a screen that fails was tried $(wc -l <tries.txt) times"
rm tries.txt
FAILS=99 PATH=$PWD/bin:$PATH refused 2 "no picture in 8 tries: Xvfb failed to start" picture arch
exit 0
